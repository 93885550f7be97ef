package io.raftlock.server.raft;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Looks at the free space of the disk that the log is on. A node whose log cannot be written ends;
 * so while there is little space left it hands leadership over, in good time and in good order. It
 * does not know whether the others have more, so it does that at growing intervals: if all are low,
 * leadership must not go round.
 *
 * <p>Has a thread of its own, as looking and handing over can block.
 */
final class DiskWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);

    static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    /** Tells how much can be written. */
    interface FreeSpace {
        long bytes() throws IOException;

        /** Returns that of the file system which this path is on. */
        static FreeSpace of(Path path) {
            return () -> Files.getFileStore(path).getUsableSpace();
        }
    }

    private final Path directory;
    private final FreeSpace space;
    private final long lowBytes;
    private final BooleanSupplier isLeading;
    private final BooleanSupplier handOver;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "raft-disk");

    private volatile DiskSpace last = DiskSpace.UNKNOWN;

    // Of the thread.
    private boolean isUnreadable;
    private long handedOverNanos;

    /** After the last hand-over; zero if there was none since space became low. */
    private Duration pause = Duration.ZERO;

    /**
     * @param lowBytes below which space is low; 0 for never
     * @param handOver returns whether another member took leadership, after seconds at most
     */
    DiskWatch(
            Path directory,
            FreeSpace space,
            long lowBytes,
            BooleanSupplier isLeading,
            BooleanSupplier handOver) {
        this.directory = directory;
        this.space = space;
        this.lowBytes = lowBytes;
        this.isLeading = isLeading;
        this.handOver = handOver;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Returns what was last seen. For any thread. */
    DiskSpace last() {
        return last;
    }

    /** Ends the watch; returns soon, whatever the disk does. */
    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        try {
            thread.join(STOP_LIMIT.toMillis());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            do {
                look(System.nanoTime());
            } while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stop) {
            LOG.debug("The watch of the disk ends");
        }
    }

    /** One look, and what follows from it. */
    void look(long nowNanos) {
        see();
        if (last.isLow() && isLeading.getAsBoolean() && isDue(nowNanos)) {
            handOver(nowNanos);
        }
    }

    private void see() {
        try {
            see(space.bytes());
            isUnreadable = false;
        } catch (IOException | RuntimeException failure) {
            if (!isUnreadable) {
                isUnreadable = true;
                LOG.warn("Free space of {} is not known", directory, failure);
            }
            last = new DiskSpace(DiskSpace.UNKNOWN.freeBytes(), last.isLow());
        }
    }

    private void see(long free) {
        boolean was = last.isLow();
        // A quarter more than the mark, so that a disk at the mark is not now one and now the
        // other.
        boolean low = free < (was ? lowBytes + lowBytes / 4 : lowBytes);
        last = new DiskSpace(free, low);
        if (low && !was) {
            pause = Duration.ZERO;
            LOG.warn(
                    "disk space is low: {} free for {}, less than {}; this node hands leadership"
                            + " over while that lasts, and ends when its disk is full: make room",
                    last.free(),
                    directory,
                    DiskSpace.mib(lowBytes));
        } else if (was && !low) {
            LOG.info("disk space suffices again: {} free for {}", last.free(), directory);
        }
    }

    private boolean isDue(long nowNanos) {
        return pause.isZero() || nowNanos - handedOverNanos >= pause.toNanos();
    }

    private void handOver(long nowNanos) {
        handedOverNanos = nowNanos;
        pause = after(pause);
        boolean isOver = handOver.getAsBoolean();
        if (isOver) {
            LOG.info("handed leadership over, as disk space is low: {} free", last.free());
        } else {
            LOG.warn(
                    "nobody took leadership over: leads on with {} of disk space free, and tries"
                            + " again in {} s",
                    last.free(),
                    pause.toSeconds());
        }
    }

    private static Duration after(Duration pause) {
        Duration twice = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
