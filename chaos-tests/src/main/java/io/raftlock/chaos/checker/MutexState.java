package io.raftlock.chaos.checker;

import org.jspecify.annotations.Nullable;

/**
 * A fenced mutex, one operation after the other.
 *
 * @param holder token of the hold, or less than 0 for a hold whose token is not known, or 0
 * @param last highest token so far
 */
record MutexState(long holder, long last) {
    static final MutexState INITIAL = new MutexState(0, 0);

    /** Returns the state after the operation, or null if its answer would have been another. */
    @Nullable MutexState after(MutexOp op) {
        return switch (op.kind()) {
            case ACQUIRE -> acquired(op);
            case RELEASE, END -> holder != 0 && holder == hold(op) ? new MutexState(0, last) : null;
            case BUSY -> holder != 0 && (op.token() == 0 || holder == op.token()) ? this : null;
            case NOT_HELD -> holder != op.token() ? this : null;
        };
    }

    private @Nullable MutexState acquired(MutexOp op) {
        boolean legal = holder == 0 && (op.token() == 0 || op.token() > last);
        return legal ? new MutexState(hold(op), Math.max(last, op.token())) : null;
    }

    private static long hold(MutexOp op) {
        return op.token() == 0 ? -op.call() : op.token();
    }
}
