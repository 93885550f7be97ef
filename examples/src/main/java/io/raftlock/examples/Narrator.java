package io.raftlock.examples;

import java.io.PrintStream;
import java.util.Locale;

/** Tells what happens, a line for each event: when, who, what. */
final class Narrator {
    private static final String BOLD = "\u001b[1m";
    private static final String GREEN = "\u001b[32m";
    private static final String RED = "\u001b[31m";
    private static final String PLAIN = "\u001b[0m";

    private final PrintStream out;
    private final boolean colours;
    private final long startNanos = System.nanoTime();

    Narrator(PrintStream out, boolean colours) {
        this.out = out;
        this.colours = colours;
    }

    /** Starts the next part of the story. */
    void part(String title) {
        out.println();
        out.println(inColour(BOLD, title));
    }

    void tell(String who, String what) {
        out.println(
                "%6.2f s  %s  %s"
                        .formatted(elapsed(), inColour(BOLD, "%-7s".formatted(who)), what));
    }

    /** A line that belongs to the one before. */
    void add(String what) {
        out.println(" ".repeat(19) + what);
    }

    void good(String what) {
        out.println(inColour(GREEN, what));
    }

    void bad(String what) {
        out.println(inColour(RED, what));
    }

    static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
    }

    private double elapsed() {
        return (System.nanoTime() - startNanos) / 1e9;
    }

    private String inColour(String colour, String text) {
        return colours ? colour + text + PLAIN : text;
    }
}
