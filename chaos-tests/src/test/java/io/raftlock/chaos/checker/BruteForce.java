package io.raftlock.chaos.checker;

import java.util.ArrayList;
import java.util.List;

/** Tries all orders of a few operations: slow, and too simple to be wrong. */
final class BruteForce {
    private BruteForce() {}

    static Linearizability check(List<MutexOp> ops) {
        return explains(MutexState.INITIAL, ops) ? Linearizability.VALID : Linearizability.INVALID;
    }

    private static boolean explains(MutexState state, List<MutexOp> left) {
        if (left.stream().allMatch(MutexOp::isOptional)) {
            return true;
        }
        for (MutexOp next : left) {
            boolean first = left.stream().allMatch(op -> op.returnedNanos() >= next.invokedNanos());
            MutexState after = first ? state.after(next) : null;
            if (after != null) {
                List<MutexOp> rest = new ArrayList<>(left);
                rest.remove(next);
                if (explains(after, rest)) {
                    return true;
                }
            }
        }
        return false;
    }
}
