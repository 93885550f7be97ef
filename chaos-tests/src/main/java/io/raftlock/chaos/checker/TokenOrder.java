package io.raftlock.chaos.checker;

import static io.raftlock.chaos.history.Operation.NEVER;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Decides whether the answers of a fenced mutex can be explained, by their tokens: in every order
 * that explains them tokens rise, so the order of tokens is the order of holds. Each hold is put as
 * early as its answers allow, and the history is refused where one does not fit.
 *
 * <p>Exact for answers that name a token. Of an answer that the lock was taken, without saying by
 * whom, it takes no notice: then it refuses too little, and never too much.
 */
final class TokenOrder {
    private long nowNanos = Long.MIN_VALUE;

    private TokenOrder() {}

    /** All that is known about one token. */
    private static final class Window {
        private final List<MutexOp> acquires = new ArrayList<>();
        private final List<MutexOp> releases = new ArrayList<>();
        private final List<MutexOp> ends = new ArrayList<>();
        private final List<MutexOp> busy = new ArrayList<>();
        private final List<MutexOp> notHeld = new ArrayList<>();

        void add(MutexOp op) {
            List<MutexOp> list =
                    switch (op.kind()) {
                        case ACQUIRE -> acquires;
                        case RELEASE -> op.isOptional() ? ends : releases;
                        case END -> ends;
                        case BUSY -> busy;
                        case NOT_HELD -> notHeld;
                    };
            list.add(op);
        }

        /**
         * Returns the call that was granted it: the one that was told so, or else the one that
         * began first; null if there is none, or more than one was told so.
         */
        @Nullable MutexOp grant() {
            long told = acquires.stream().filter(acquire -> !acquire.isOptional()).count();
            return told > 1
                    ? null
                    : acquires.stream()
                            .filter(acquire -> told == 0 || !acquire.isOptional())
                            .min(Comparator.comparingLong(MutexOp::invokedNanos))
                            .orElse(null);
        }

        /** Whether some answer says that it was held. */
        boolean mustHaveBeen() {
            return !releases.isEmpty()
                    || !busy.isEmpty()
                    || acquires.stream().anyMatch(acquire -> !acquire.isOptional());
        }
    }

    /** Decides about the operations on one mutex, which may come in any order. */
    static Linearizability check(List<MutexOp> ops) {
        return new TokenOrder().walk(byToken(ops));
    }

    private static Map<Long, Window> byToken(List<MutexOp> ops) {
        Map<Long, Window> byToken = new TreeMap<>();
        for (MutexOp op : ops) {
            if (op.token() != 0) {
                byToken.computeIfAbsent(op.token(), token -> new Window()).add(op);
            }
        }
        return byToken;
    }

    private Linearizability walk(Map<Long, Window> byToken) {
        for (Window window : byToken.values()) {
            if (window.mustHaveBeen()) {
                Linearizability fits = place(window);
                if (fits != Linearizability.VALID) {
                    return fits;
                }
            }
        }
        return Linearizability.VALID;
    }

    private Linearizability place(Window window) {
        MutexOp acquire = window.grant();
        if (acquire == null || window.releases.size() > 1) {
            return Linearizability.INVALID;
        }
        long from = Math.max(nowNanos, acquire.invokedNanos());
        long latestFrom = Math.min(acquire.returnedNanos(), earliestReturn(window.busy));
        if (from > latestFrom) {
            return Linearizability.INVALID;
        }
        long to = Math.max(from, Math.max(causeOfEnd(window), latestBegin(window.busy)));
        if (!window.releases.isEmpty() && to > window.releases.get(0).returnedNanos()) {
            return Linearizability.INVALID;
        }
        nowNanos = to;
        return placeNotHeld(window, from, latestFrom, to);
    }

    /** Returns from when on the hold can have ended: the end of time if nothing can have. */
    private static long causeOfEnd(Window window) {
        List<MutexOp> causes = window.releases.isEmpty() ? window.ends : window.releases;
        return causes.stream().mapToLong(MutexOp::invokedNanos).min().orElse(NEVER);
    }

    /** Each of these was answered while the hold was not: before it began, or after it ended. */
    private static Linearizability placeNotHeld(
            Window window, long from, long latestFrom, long to) {
        Linearizability worst = Linearizability.VALID;
        for (MutexOp answer : window.notHeld) {
            boolean after = to <= answer.returnedNanos() && to != NEVER;
            boolean before = answer.invokedNanos() <= from;
            if (!after && !before) {
                // A later grant would explain it, and might leave no room for others.
                if (answer.invokedNanos() > latestFrom) {
                    return Linearizability.INVALID;
                }
                worst = Linearizability.UNKNOWN;
            }
        }
        return worst;
    }

    private static long earliestReturn(List<MutexOp> ops) {
        return ops.stream().mapToLong(MutexOp::returnedNanos).min().orElse(NEVER);
    }

    private static long latestBegin(List<MutexOp> ops) {
        return ops.stream().mapToLong(MutexOp::invokedNanos).max().orElse(Long.MIN_VALUE);
    }
}
