package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Lets one of the nodes that miss their leader in the same moment go first. Without it they all
 * vote for themselves, and the cluster has no leader for another election timeout. Who has more in
 * its log than this node is always let go first: this node would never get its vote.
 *
 * <p>It only ever denies pre-votes. Those say whether an election would make sense, and bind
 * nobody: to deny one can delay a leader, and never make two. Used by any thread.
 */
public final class PreVoteTies {
    /** Longer than a pre-vote and the vote after it take, much shorter than an election timeout. */
    private static final long WINDOW_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /**
     * The last time that this node asked, with which end of its log, and the last time that it
     * granted: in one reference, so that neither is decided while the other changes.
     */
    private record Last(long askedNanos, LogId askedWith, long grantedNanos) {}

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
        last = new AtomicReference<>(new Last(longAgo, new LogId(), longAgo));
    }

    /** Whether this node may ask that: not just after it has granted a pre-vote. */
    boolean mayAsk(RequestVoteRequest question) {
        long nowNanos = nanoTime.getAsLong();
        Last seen = seen();
        while (!isRecent(seen.grantedNanos, nowNanos)) {
            if (last.compareAndSet(
                    seen, new Last(nowNanos, endOfLog(question), seen.grantedNanos))) {
                return true;
            }
            seen = seen();
        }
        return false;
    }

    /** Whether this node may grant that: not if it asks too, and goes before the other. */
    boolean mayGrant(RequestVoteRequest question) {
        long nowNanos = nanoTime.getAsLong();
        Last seen = seen();
        while (!isRecent(seen.askedNanos, nowNanos)
                || self.compareTo(question.getServerId()) > 0
                || endOfLog(question).compareTo(seen.askedWith) > 0) {
            if (last.compareAndSet(seen, new Last(seen.askedNanos, seen.askedWith, nowNanos))) {
                return true;
            }
            seen = seen();
        }
        return false;
    }

    private static LogId endOfLog(RequestVoteRequest question) {
        return new LogId(question.getLastLogIndex(), question.getLastLogTerm());
    }

    private Last seen() {
        return Objects.requireNonNull(last.get());
    }

    private static boolean isRecent(long nanos, long nowNanos) {
        return nowNanos - nanos < WINDOW_NANOS;
    }
}
