package io.raftlock.examples;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what happens, a line for each event: when, who, what. For use by any thread. */
final class Narrator {
    private static final String MARGIN = " ".repeat(19);

    private final PrintStream out;
    private final long startNanos = System.nanoTime();

    Narrator(PrintStream out) {
        this.out = out;
    }

    /** Starts the next part of the story. */
    void part(String title) {
        out.println();
        out.println(title);
    }

    void tell(String who, String what) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        out.println(String.format(Locale.ROOT, "%6.2f s  %-7s  %s", seconds, who, what));
    }

    /** A line that belongs to the one before. */
    void add(String what) {
        out.println(MARGIN + what);
    }

    /** A line that stands for itself. */
    void say(String what) {
        out.println(what);
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }
}
