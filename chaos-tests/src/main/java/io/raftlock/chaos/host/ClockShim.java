package io.raftlock.chaos.host;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The clocks of one process, which may start again and again. Waits for a deadline are as long as
 * the process's own clock says, if it is not changed while they last; waits in {@code epoll} are as
 * long as they would be without. Owned by one thread.
 */
public final class ClockShim implements Shim {
    /** The variable that names the file by which the clocks are set. */
    static final String FILE_VARIABLE = "CLOCKSHIM_FILE";

    /** Beyond this the library could not tell a deadline of the one clock from the other's. */
    private static final Duration MAX_OFFSET = Duration.ofDays(3_650);

    private static final long SLOWEST_PPM = -900_000;
    private static final long FASTEST_PPM = 9_000_000;

    private final Path library;
    private final Path file;
    private final ClockControl control;

    /**
     * Makes clocks that are true.
     *
     * @param file by which they are set; made anew
     */
    public ClockShim(NativeTools tools, Path file) {
        library = tools.clockShim();
        this.file = file.toAbsolutePath();
        control = ClockControl.create(file);
    }

    @Override
    public Path library() {
        return library;
    }

    @Override
    public Map<String, String> variables() {
        return Map.of(FILE_VARIABLE, file.toString());
    }

    /**
     * From now on the wall clock is so much ahead of the true one.
     *
     * @param offset which may be negative, and is ten years at most
     */
    public void wallOffset(Duration offset) {
        if (offset.abs().compareTo(MAX_OFFSET) > 0) {
            throw new IllegalArgumentException("more than ten years: " + offset);
        }
        control.wallOffset(offset.toNanos());
    }

    /**
     * Now the monotonic clock leaps forward, and then goes on as before. It cannot be brought back.
     *
     * @param jump which is not negative
     */
    public void monotonicJump(Duration jump) {
        if (jump.isNegative() || jump.compareTo(MAX_OFFSET) > 0) {
            throw new IllegalArgumentException("not forward, or more than ten years: " + jump);
        }
        long nanos = jump.toNanos();
        control.monotonic((line, now) -> line.withJump(now, nanos));
    }

    /**
     * From now on the monotonic clock is so much faster than the true one; it goes on from what it
     * shows, and so it does when it is set back.
     *
     * @param ppm millionths: 500,000 for one and a half times as fast, 0 for a true rate; from
     *     -900,000 to 9,000,000
     */
    public void monotonicRate(long ppm) {
        if (ppm < SLOWEST_PPM || ppm > FASTEST_PPM) {
            throw new IllegalArgumentException("not from a tenth to ten times: " + ppm);
        }
        control.monotonic((line, now) -> line.withRate(now, ppm));
    }

    /** Returns how many times the process has read a clock that was not true. */
    public long reads() {
        return control.fakedReads();
    }
}
