package io.raftlock.chaos.report;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows how a run stands, in one line: written over itself on a terminal, else once every 10 s. For
 * one thread, which has a status for it about once a second.
 */
public final class Progress {
    /** Narrower than any terminal: a line that breaks could not be written over. */
    static final int WIDTH = 79;

    private static final Duration EVERY = Duration.ofSeconds(10);

    private final PrintStream out;
    private final boolean isTerminal;
    private final Duration total;
    private Duration next = Duration.ZERO;
    private boolean isLineOpen;

    /**
     * @param total for how long the run is going to last
     */
    public Progress(PrintStream out, Duration total) {
        this(out, total, isOnTerminal());
    }

    // From Java 22 on there may be a console without a terminal: a file gets long lines then.
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isOnTerminal() {
        return System.console() != null;
    }

    Progress(PrintStream out, Duration total, boolean isTerminal) {
        this.out = out;
        this.total = total;
        this.isTerminal = isTerminal;
    }

    /** Shows how the run stands. */
    public void show(Status status) {
        if (isTerminal) {
            out.print("\r" + padded(cut(line(status))));
            out.flush();
            isLineOpen = true;
        } else if (status.elapsed().compareTo(next) >= 0) {
            out.println(line(status));
            next = status.elapsed().plus(EVERY);
        }
    }

    /** Ends the line, so that something else can be printed. */
    public void end() {
        if (isLineOpen) {
            out.println();
            isLineOpen = false;
        }
    }

    private String line(Status status) {
        String leader =
                status.leader().isEmpty()
                        ? "no leader"
                        : status.leader() + " leads term " + status.term();
        return "%s/%s %s, %d ops/s, %s, %d of %d up, %d complaints%s"
                .formatted(
                        minutes(status.elapsed()),
                        minutes(total),
                        status.phase(),
                        status.opsPerSecond(),
                        leader,
                        status.nodesUp(),
                        status.nodes(),
                        status.complaints(),
                        status.faults().isEmpty()
                                ? ""
                                : ", " + String.join(" + ", status.faults()));
    }

    private static String minutes(Duration time) {
        return "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }

    private static String cut(String line) {
        return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 1) + "…";
    }

    private static String padded(String line) {
        return line + " ".repeat(WIDTH - line.length());
    }
}
