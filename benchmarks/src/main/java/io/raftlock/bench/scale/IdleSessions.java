package io.raftlock.bench.scale;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.peer.RawSession;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many sessions that do nothing but live, each on a connection of its own: what clients that hold
 * locks for long cost a node. In this process they cost far less than clients would.
 */
final class IdleSessions implements Ballast {
    /** As a client does: three keep-alives in a TTL. */
    private static final int KEEP_ALIVES_PER_TTL = 3;

    private static final int UNDER_WAY = 256;
    private static final long POLL_MILLIS = 2;
    private static final Duration BOUND = Duration.ofMinutes(10);

    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();
    private final InetSocketAddress leader;
    private final Duration ttl;
    private int asked;
    private volatile long everyNanos;
    private volatile boolean closing;

    /**
     * @param leader where they connect to
     */
    IdleSessions(InetSocketAddress leader, Duration ttl) {
        this.leader = leader;
        this.ttl = ttl;
        everyNanos = ttl.toNanos() / KEEP_ALIVES_PER_TTL;
    }

    /** Returns how many keep-alives so many sessions send in a second. */
    double keepAlivesPerSecond(int sessions) {
        return sessions * (double) KEEP_ALIVES_PER_TTL / ttl.toSeconds();
    }

    /** From now on those that are open send as many keep-alives as so many sessions would. */
    void keepAliveAs(int sessions) {
        everyNanos = (long) (open.get() * 1e9 / keepAlivesPerSecond(sessions));
    }

    @Override
    public void growTo(int total) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        Progress progress = new Progress("sessions", total);
        while (open.get() < total) {
            if (System.nanoTime() - end > 0 || lost.get() > 0) {
                throw new LoadFailure(
                        "only %d of %d sessions are open after at most %d s, %d lost"
                                .formatted(open.get(), total, BOUND.toSeconds(), lost.get()));
            }
            if (asked < total && asked - open.get() < UNDER_WAY) {
                ask();
                asked++;
            } else {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            progress.at(open.get());
        }
    }

    /** Returns how many connections were lost, or sessions ended. */
    int lost() {
        return lost.get();
    }

    @Override
    public void close() {
        closing = true;
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private void ask() {
        var unused =
                RawSession.open(loops, leader, ttl, "idle")
                        .whenComplete(
                                (session, failure) -> {
                                    if (failure == null) {
                                        opened(session);
                                    } else {
                                        countLost();
                                    }
                                });
    }

    private void opened(RawSession session) {
        open.incrementAndGet();
        var unused = session.lost().thenRun(this::countLost);
        // Spread, as those of clients that began at different times are.
        keepAliveIn(ThreadLocalRandom.current().nextLong(everyNanos), session);
    }

    private void keepAliveIn(long nanos, RawSession session) {
        var unused = loops.schedule(() -> keepAlive(session), nanos, TimeUnit.NANOSECONDS);
    }

    private void keepAlive(RawSession session) {
        if (!session.lost().isDone()) {
            var unused = session.keepAlive();
            keepAliveIn(everyNanos, session);
        }
    }

    private void countLost() {
        if (!closing) {
            lost.incrementAndGet();
        }
    }
}
