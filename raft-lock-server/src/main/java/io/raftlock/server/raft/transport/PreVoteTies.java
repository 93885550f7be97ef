package io.raftlock.server.raft.transport;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Lets one of the nodes that miss their leader in the same moment go first. Without it they all
 * vote for themselves, and the cluster has no leader for another election timeout.
 *
 * <p>It only ever denies pre-votes. Those say whether an election would make sense, and bind
 * nobody: to deny one can delay a leader, and never make two. Used by any thread.
 */
public final class PreVoteTies {
    /** Longer than a pre-vote and the vote after it take, much shorter than an election timeout. */
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * The last time that this node asked, and the last time that it granted: in one reference, so
     * that it never does both within the window.
     */
    private record Last(long askedNanos, long grantedNanos) {}

    private final String self;
    private final LongSupplier nanoTime;
    private final AtomicReference<Last> last;

    /**
     * Makes the ties of one node.
     *
     * @param self the address that this node's requests carry
     */
    public PreVoteTies(String self, LongSupplier nanoTime) {
        this.self = self;
        this.nanoTime = nanoTime;
        long longAgo = nanoTime.getAsLong() - WINDOW_NANOS;
        last = new AtomicReference<>(new Last(longAgo, longAgo));
    }

    /** Whether this node may ask for pre-votes: not just after it has granted one. */
    boolean mayAsk() {
        long nowNanos = nanoTime.getAsLong();
        Last seen = seen();
        while (!isRecent(seen.grantedNanos, nowNanos)) {
            if (last.compareAndSet(seen, new Last(nowNanos, seen.grantedNanos))) {
                return true;
            }
            seen = seen();
        }
        return false;
    }

    /** Whether this node may grant a pre-vote: not if it asks too, and goes before the other. */
    boolean mayGrant(String candidate) {
        long nowNanos = nanoTime.getAsLong();
        Last seen = seen();
        while (!isRecent(seen.askedNanos, nowNanos) || self.compareTo(candidate) > 0) {
            if (last.compareAndSet(seen, new Last(seen.askedNanos, nowNanos))) {
                return true;
            }
            seen = seen();
        }
        return false;
    }

    private Last seen() {
        return Objects.requireNonNull(last.get());
    }

    private static boolean isRecent(long nanos, long nowNanos) {
        return nowNanos - nanos < WINDOW_NANOS;
    }
}
