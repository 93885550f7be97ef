package io.raftlock.bench.compare;

import java.time.Duration;
import java.util.Timer;
import java.util.TimerTask;

/** Ends what has run for too long, unless it is closed before. */
final class Bound implements AutoCloseable {
    private final Timer timer = new Timer("bound", true);
    private volatile boolean passed;

    Bound(Duration longest, Runnable end) {
        timer.schedule(
                new TimerTask() {
                    @Override
                    public void run() {
                        passed = true;
                        end.run();
                    }
                },
                longest.toMillis());
    }

    /** Whether it was ended. */
    boolean passed() {
        return passed;
    }

    @Override
    public void close() {
        timer.cancel();
    }
}
