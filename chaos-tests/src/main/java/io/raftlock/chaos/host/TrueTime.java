package io.raftlock.chaos.host;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/**
 * The machine's monotonic clock, for a process whose own clocks may be made to show something else.
 * It is one clock for all processes of the machine. Any thread may ask.
 */
public final class TrueTime {
    private static final @Nullable ClockControl CONTROL = control();

    private TrueTime() {}

    /**
     * Returns the true time, to within 10 ns.
     *
     * @return nanoseconds that {@link System#nanoTime} returns in a process with true clocks
     */
    public static long nanos() {
        ClockControl control = CONTROL;
        return control == null ? System.nanoTime() : control.trueNanos(System::nanoTime);
    }

    private static @Nullable ClockControl control() {
        String file = System.getenv(ClockShim.FILE_VARIABLE);
        return file == null ? null : ClockControl.open(Path.of(file));
    }
}
