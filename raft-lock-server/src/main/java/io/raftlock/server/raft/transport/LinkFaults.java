package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

import java.time.Duration;

/**
 * Decides what becomes of each message on each directed link: tests cut, slow and thin links with
 * it. Called on I/O threads, so it may neither block nor throw.
 *
 * <p>Both directions are judged by the caller's side, a request before it is written and an answer
 * before it is handed on: only the caller knows both ends, since a socket does not tell which peer
 * has connected. The network between makes no difference between a message lost early or late.
 */
@FunctionalInterface
public interface LinkFaults {
    LinkFaults NONE = (from, to, message) -> Fate.DELIVERED;

    Fate fateOf(Endpoint from, Endpoint to, RaftMessage message);

    /** What happens to a message. The delay counts only if it is not lost. */
    record Fate(boolean lost, Duration delay) {
        public static final Fate DELIVERED = new Fate(false, Duration.ZERO);
        public static final Fate LOST = new Fate(true, Duration.ZERO);

        public static Fate delayed(Duration delay) {
            return new Fate(false, delay);
        }
    }
}
