package io.raftlock.chaos.report;

import java.util.Locale;

/** Numbers and times as people read them. */
final class Texts {
    private static final double MILLI = 1e-3;

    private Texts() {}

    /** A moment of a run, such as +12.3 s. */
    static String moment(Span run, long atNanos) {
        return moment(run.secondsAt(atNanos));
    }

    /** The same, by seconds after the beginning. */
    static String moment(double seconds) {
        return String.format(Locale.ROOT, "%+.1f s", seconds);
    }

    /** A moment of a run, such as +12.345678 s. */
    static String exactMoment(Span run, long atNanos) {
        return String.format(Locale.ROOT, "%+.6f s", run.secondsAt(atNanos));
    }

    /** A duration, such as 3.20 ms or 1.25 s. */
    static String seconds(double seconds) {
        return seconds < 1
                ? String.format(Locale.ROOT, "%.2f ms", seconds / MILLI)
                : String.format(Locale.ROOT, "%.2f s", seconds);
    }

    /** A duration where there is little room, such as 3.2 ms or 1.3 s. */
    static String brief(double seconds) {
        return seconds < 1
                ? String.format(Locale.ROOT, "%.1f ms", seconds / MILLI)
                : String.format(Locale.ROOT, "%.1f s", seconds);
    }

    /** A number with at most the given digits after the point, and none that are 0. */
    static String number(double value, int digits) {
        String text = String.format(Locale.ROOT, "%." + digits + "f", value);
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** A count, such as 1,234,567. */
    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
