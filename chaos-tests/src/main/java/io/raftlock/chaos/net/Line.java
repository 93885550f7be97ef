package io.raftlock.chaos.net;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The present condition of one link. Owned by the event loop. */
final class Line {
    /** What a cut line takes in: enough to see that something is held, and that a sender left. */
    private static final int CUT_ROOM = 16 << 10;

    private static final int ROOM = 1 << 20;
    private static final int LEAST_THROTTLED_ROOM = 4 << 10;

    /** So that no sender's bytes lie in a slow line for long, which TCP would not let them. */
    private static final int THROTTLED_ROOMS_PER_SECOND = 4;

    private static final int PIECES_PER_SECOND = 50;
    private static final int LEAST_PIECE = 256;

    private final AtomicLong hits;
    private boolean isCut;
    private Shape shape = Shape.PLAIN;
    private long busyUntilNanos;

    Line(AtomicLong hits) {
        this.hits = hits;
    }

    void cut(boolean now) {
        isCut = now;
    }

    void shape(Shape fresh) {
        if (!shape.equals(fresh)) {
            shape = fresh;
            busyUntilNanos = System.nanoTime();
        }
    }

    boolean isCut() {
        return isCut;
    }

    /** Whether bytes pass as they come. */
    boolean isPlain() {
        return !isCut && shape.equals(Shape.PLAIN);
    }

    /** This line has had something to do. */
    void hit() {
        hits.incrementAndGet();
    }

    /** Returns how many bytes one connection may have on the way. */
    int room() {
        if (isCut) {
            return CUT_ROOM;
        }
        int perSecond = shape.bytesPerSecond();
        return perSecond == 0
                ? ROOM
                : Math.min(
                        ROOM,
                        Math.max(LEAST_THROTTLED_ROOM, perSecond / THROTTLED_ROOMS_PER_SECOND));
    }

    /** Returns how many bytes go at once, at most. */
    int piece() {
        return shape.bytesPerSecond() == 0
                ? Integer.MAX_VALUE
                : Math.max(LEAST_PIECE, shape.bytesPerSecond() / PIECES_PER_SECOND);
    }

    /** Returns when so many bytes that come now are there, were the line whole. */
    long arrivalNanos(int bytes, long nowNanos) {
        long sent = nowNanos;
        if (shape.bytesPerSecond() > 0) {
            long takes = TimeUnit.SECONDS.toNanos(bytes) / shape.bytesPerSecond();
            sent = Math.max(busyUntilNanos - nowNanos, 0) + nowNanos + takes;
            busyUntilNanos = sent;
        }
        long jitter = TimeUnit.MILLISECONDS.toNanos(shape.jitterMillis());
        return sent
                + TimeUnit.MILLISECONDS.toNanos(shape.delayMillis())
                + ThreadLocalRandom.current().nextLong(jitter + 1);
    }
}
