package io.raftlock.bench.scale;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Tells every few seconds how far long work has come. Owned by one thread. */
final class Progress {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String what;
    private final long total;
    private long toldNanos = System.nanoTime();

    Progress(String what, long total) {
        this.what = what;
        this.total = total;
    }

    void at(long done) {
        long now = System.nanoTime();
        if (now - toldNanos > EVERY_NANOS) {
            toldNanos = now;
            System.out.printf(Locale.ROOT, "  ... %s: %,d of %,d%n", what, done, total);
        }
    }
}
