package io.raftlock.bench.load;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * One line of a table: so many callers, each of which acquires and releases a lock again and again.
 *
 * @param callers threads, or chains of futures
 * @param perSecond cycles that are begun in a second whether or not others have ended; 0 if each
 *     caller begins the next when it has ended the one before
 */
public record Cell(Mode mode, int callers, int perSecond) {
    public enum Mode {
        /** Each caller is a thread that blocks, with a lock of its own. */
        BLOCKING,
        /**
         * Each caller is a chain of futures with a lock of its own: so many cycles are under way.
         */
        ASYNC,
        /** Each caller is a thread that blocks, and all want one lock. */
        HOT,
        /**
         * As {@link #BLOCKING}, but each caller renews its hold nine times before it gives the lock
         * back: of ten operations nine are renewals, and one is a release and the next acquire.
         */
        RENEW,
        /**
         * As {@link #BLOCKING}, but each caller is in a process of its own, with its own client.
         */
        PROCS,
        /** As {@link #BLOCKING}, but cycles are begun by the clock, and times count from then. */
        OPEN;

        /** Returns its name for people. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Returns what is counted, for people. */
        public String unit() {
            return this == RENEW ? "operations" : "cycles";
        }
    }

    public Cell {
        if (callers < 1 || (perSecond > 0) != (mode == Mode.OPEN)) {
            throw new IllegalArgumentException(
                    "%s with %d callers at %d/s".formatted(mode, callers, perSecond));
        }
    }

    public static Cell closed(Mode mode, int callers) {
        return new Cell(mode, callers, 0);
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if the text is no cell
     */
    public static Cell parse(String text) {
        String[] parts = text.split("[:@]", -1);
        if (parts.length < 2 || parts.length > 3) {
            throw new IllegalArgumentException(
                    "no cell \"%s\": expected blocking:N, async:N, hot:N, renew:N, procs:N, open:N@RATE"
                            .formatted(text));
        }
        return new Cell(
                Mode.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                Integer.parseInt(parts[1]),
                parts.length == 3 ? Integer.parseInt(parts[2]) : 0);
    }

    /** Returns the names of the locks, one for each caller. */
    List<String> lockNames() {
        return IntStream.range(0, callers)
                .mapToObj(
                        i ->
                                mode == Mode.HOT
                                        ? "load/hot"
                                        : "load/%s/%d".formatted(mode.label(), i))
                .toList();
    }

    @Override
    public String toString() {
        return mode.label() + ":" + callers + (perSecond > 0 ? "@" + perSecond : "");
    }
}
