package io.raftlock.bench.scale;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * One result.
 *
 * @param size of the state it was measured with: how many sessions, locks, names or waiters
 * @param what was measured
 * @param unit of the value; may be empty
 * @param atMost what the value is to be; empty if nothing is promised of it
 */
record Figure(
        String scenario, long size, String what, double value, String unit, OptionalDouble atMost) {
    private static final int DIGITS_OF_SMALL = 4;

    Figure {
        // So that the file needs no quotes, and the table no escapes.
        if ((scenario + what + unit).matches("(?s).*[,|\\n].*")) {
            throw new IllegalArgumentException("neither commas nor bars: " + what);
        }
    }

    /** Returns whether it is what it is to be, or an empty text if nothing is promised of it. */
    String verdict() {
        if (atMost.isEmpty()) {
            return "";
        }
        return value <= atMost.getAsDouble() ? "yes" : "no";
    }

    /** Returns the line that is printed. */
    String line() {
        String promise =
                atMost.isEmpty()
                        ? ""
                        : " (at most %s: %s)".formatted(text(atMost.getAsDouble()), verdict());
        return "  %s: %s%s".formatted(what, (text(value) + " " + unit).strip(), promise);
    }

    static String csvHead() {
        return "scenario,size,what,value,unit,at_most";
    }

    String csv() {
        String promise = atMost.isEmpty() ? "" : Double.toString(atMost.getAsDouble());
        return String.format(
                Locale.ROOT, "%s,%d,%s,%.6f,%s,%s", scenario, size, what, value, unit, promise);
    }

    /** Returns a number with three digits or four, for people. */
    static String text(double number) {
        double size = Math.abs(number);
        if (number == Math.rint(number) || size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", number);
        }
        int digits = size >= 10 ? 1 : size >= 1 ? 2 : DIGITS_OF_SMALL;
        return String.format(Locale.ROOT, "%." + digits + "f", number);
    }
}
