package io.raftlock.server;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: a whole number and a unit. */
public final class DurationText {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private DurationText() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Duration parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "found \"%s\", expected a duration such as 500ms, 2s, 10m or 1h"
                            .formatted(text));
        }
        return Duration.ofMillis(Long.parseLong(parts.group(1)) * unitMillis(parts.group(2)));
    }

    private static long unitMillis(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            case "h" -> 3_600_000;
            default -> throw new IllegalArgumentException("unit " + unit);
        };
    }

    /** Writes it in the largest unit of which it is a whole number. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        for (String unit : new String[] {"h", "m", "s"}) {
            if (millis != 0 && millis % unitMillis(unit) == 0) {
                return millis / unitMillis(unit) + unit;
            }
        }
        return millis + "ms";
    }
}
