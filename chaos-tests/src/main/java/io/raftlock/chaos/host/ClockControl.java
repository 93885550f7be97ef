package io.raftlock.chaos.host;

import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * The file by which a process's clocks are set. Its sequence is odd while a line is being written,
 * and readers take a time only together with the line that was there before and after they read it.
 * One process writes, by one thread.
 */
final class ClockControl {
    private static final int SEQUENCE = 0;
    private static final int WALL_OFFSET = 1;
    private static final int BASE = 2;
    private static final int OFFSET = 3;
    private static final int PPM = 4;
    private static final int FAKED_READS = 8;
    private static final long MARGIN_NANOS = 1_000;

    private final SharedNumbers numbers;

    private ClockControl(SharedNumbers numbers) {
        this.numbers = numbers;
    }

    static ClockControl create(Path file) {
        ClockControl control = new ClockControl(SharedNumbers.create(file));
        control.numbers.set(BASE, System.nanoTime());
        return control;
    }

    static ClockControl open(Path file) {
        return new ClockControl(SharedNumbers.open(file));
    }

    long fakedReads() {
        return numbers.get(FAKED_READS);
    }

    void wallOffset(long nanos) {
        long sequence = numbers.get(SEQUENCE);
        numbers.set(SEQUENCE, sequence + 1);
        numbers.set(WALL_OFFSET, nanos);
        numbers.set(SEQUENCE, sequence + 2);
    }

    /** The next line of the monotonic clock, made from the present one at a moment. */
    interface Change {
        ClockLine next(ClockLine line, long nowNanos);
    }

    void monotonic(Change change) {
        long sequence = numbers.get(SEQUENCE);
        ClockLine line = line();
        numbers.set(SEQUENCE, sequence + 1);
        ClockLine next = change.next(line, later());
        numbers.set(BASE, next.baseNanos());
        numbers.set(OFFSET, next.offsetNanos());
        numbers.set(PPM, next.ppm());
        numbers.set(SEQUENCE, sequence + 2);
    }

    /**
     * Reads the process's own clock from within it, and returns what the true one showed.
     *
     * @param shown reads the process's own clock
     */
    long trueNanos(LongSupplier shown) {
        while (true) {
            long sequence = numbers.get(SEQUENCE);
            ClockLine line = line();
            long nanos = shown.getAsLong();
            if ((sequence & 1) == 0 && numbers.get(SEQUENCE) == sequence) {
                return line.trueAt(nanos);
            }
            Thread.onSpinWait();
        }
    }

    private ClockLine line() {
        return new ClockLine(numbers.get(BASE), numbers.get(OFFSET), numbers.get(PPM));
    }

    // The new line begins a little after readers are kept out: a processor may put a reading of
    // the clock behind the look at the sequence that follows it, by some nanoseconds.
    private static long later() {
        long from = System.nanoTime();
        long now = from;
        while (now - from < MARGIN_NANOS) {
            now = System.nanoTime();
        }
        return now;
    }
}
