package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

    private final String self;
    private final LongSupplier nanoTime;
    private final AtomicLong askedNanos;
    private final AtomicLong grantedNanos;

    /**
     * Makes the ties of one node.
     *
     * @param self the address that this node's requests carry
     */
    public PreVoteTies(String self, LongSupplier nanoTime) {
        this.self = self;
        this.nanoTime = nanoTime;
        long longAgo = nanoTime.getAsLong() - WINDOW_NANOS;
        askedNanos = new AtomicLong(longAgo);
        grantedNanos = new AtomicLong(longAgo);
    }

    /** Whether this node may ask for pre-votes: not just after it has granted one. */
    boolean mayAsk() {
        if (isRecent(grantedNanos)) {
            return false;
        }
        askedNanos.set(nanoTime.getAsLong());
        return true;
    }

    /** Whether this node asks too, and goes before the one that asks it. */
    boolean goesBefore(RequestVoteRequest request) {
        return request.getPreVote()
                && isRecent(askedNanos)
                && self.compareTo(request.getServerId()) < 0;
    }

    void granted() {
        grantedNanos.set(nanoTime.getAsLong());
    }

    private boolean isRecent(AtomicLong nanos) {
        return nanoTime.getAsLong() - nanos.get() < WINDOW_NANOS;
    }
}
