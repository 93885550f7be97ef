package io.raftlock.chaos.checker;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Searches for a linearization by the way of Wing and Gong, with the cache of Lowe: depth first,
 * and never twice into the same state with the same operations done. Knows nothing of the log.
 *
 * <p>Operations that answered must all be placed. Those that may or may not have happened are tried
 * last, when nothing else fits.
 */
final class Wgl {
    private final MutexOp[] required;
    private final MutexOp[] optional;
    private final BitSet done;
    private final BitSet doneOptional;
    private final BitSet doneUnknown = new BitSet();
    private final Set<Configuration> seen = new HashSet<>();
    private long stepsLeft;
    private int firstOpen;
    private int furthest;

    private Wgl(List<MutexOp> ops, long steps) {
        Comparator<MutexOp> byBegin = Comparator.comparingLong(MutexOp::invokedNanos);
        required =
                ops.stream().filter(op -> !op.isOptional()).sorted(byBegin).toArray(MutexOp[]::new);
        optional = withoutDoubles(ops).sorted(byBegin).toArray(MutexOp[]::new);
        done = new BitSet(required.length);
        doneOptional = new BitSet(optional.length);
        stepsLeft = steps;
    }

    /**
     * A grant of an unknown token that nothing can end is the last thing that happens to the mutex.
     * So of all these one can have happened, and the first to begin can do whatever another can.
     */
    private static Stream<MutexOp> withoutDoubles(List<MutexOp> ops) {
        Set<Long> ended = new HashSet<>();
        ops.stream()
                .filter(op -> op.kind() == MutexOp.Kind.END && op.token() == 0)
                .forEach(op -> ended.add(op.call()));
        Predicate<MutexOp> isLast =
                op ->
                        op.kind() == MutexOp.Kind.ACQUIRE
                                && op.token() == 0
                                && !ended.contains(op.call());
        List<MutexOp> optional = ops.stream().filter(MutexOp::isOptional).toList();
        return Stream.concat(
                optional.stream().filter(isLast.negate()),
                optional.stream()
                        .filter(isLast)
                        .min(Comparator.comparingLong(MutexOp::invokedNanos))
                        .stream());
    }

    /**
     * What the search found.
     *
     * @param stuckAt the operation that could not be placed where the search got furthest, if the
     *     history is not linearizable
     */
    record Answer(Linearizability verdict, @Nullable MutexOp stuckAt) {}

    /** Decides about the operations on one mutex, which may come in any order. */
    static Linearizability check(List<MutexOp> ops, long steps) {
        return search(ops, steps).verdict();
    }

    static Answer search(List<MutexOp> ops, long steps) {
        return new Wgl(ops, steps).search();
    }

    /**
     * What decides about the rest of the search. Of the required operations all before the first
     * open one are done; the window has those from there on, however many they are. Optional
     * operations on a known token are left out: once its token is in the past, it makes no
     * difference whether one of them was done.
     */
    private record Configuration(MutexState state, int firstOpen, BitSet window, BitSet unknown) {}

    /** A point of the search: the state there, and what can be done next. */
    private static final class Frame {
        private final MutexState state;
        private final int[] candidates;
        private final long limitNanos;
        private int nextCandidate;
        private int nextOptional;
        private int taken = -1;
        private boolean tookOptional;

        Frame(MutexState state, int[] candidates, long limitNanos) {
            this.state = state;
            this.candidates = candidates;
            this.limitNanos = limitNanos;
        }
    }

    private Answer search() {
        Deque<Frame> path = new ArrayDeque<>();
        path.push(frame(MutexState.INITIAL));
        while (!path.isEmpty()) {
            if (firstOpen == required.length) {
                return new Answer(Linearizability.VALID, null);
            }
            if (stepsLeft-- <= 0) {
                return new Answer(Linearizability.UNKNOWN, null);
            }
            Frame top = path.element();
            undo(top);
            MutexState next = advance(top);
            if (next == null) {
                path.pop();
            } else {
                path.push(frame(next));
            }
        }
        return new Answer(Linearizability.INVALID, required[furthest]);
    }

    /** Does the next operation that is possible and leads to something new; null if none is. */
    private @Nullable MutexState advance(Frame at) {
        while (at.nextCandidate < at.candidates.length) {
            int index = at.candidates[at.nextCandidate++];
            MutexState next = at.state.after(required[index]);
            if (next != null) {
                take(at, index, false);
                if (isNew(next)) {
                    return next;
                }
                undo(at);
            }
        }
        while (at.nextOptional < optional.length
                && optional[at.nextOptional].invokedNanos() <= at.limitNanos) {
            int index = at.nextOptional++;
            MutexState next = doneOptional.get(index) ? null : at.state.after(optional[index]);
            if (next != null && !next.equals(at.state)) {
                take(at, index, true);
                if (isNew(next)) {
                    return next;
                }
                undo(at);
            }
        }
        return null;
    }

    private boolean isNew(MutexState state) {
        return seen.add(
                new Configuration(
                        state,
                        firstOpen,
                        done.get(firstOpen, Math.max(firstOpen, done.length())),
                        (BitSet) doneUnknown.clone()));
    }

    private void take(Frame at, int index, boolean fromOptional) {
        at.taken = index;
        at.tookOptional = fromOptional;
        if (fromOptional) {
            doneOptional.set(index);
            doneUnknown.set(index, optional[index].token() == 0);
        } else {
            done.set(index);
            firstOpen = done.nextClearBit(firstOpen);
            furthest = Math.max(furthest, Math.min(firstOpen, required.length - 1));
        }
    }

    private void undo(Frame at) {
        if (at.taken < 0) {
            return;
        }
        if (at.tookOptional) {
            doneOptional.clear(at.taken);
            doneUnknown.clear(at.taken);
        } else {
            done.clear(at.taken);
            firstOpen = Math.min(firstOpen, at.taken);
        }
        at.taken = -1;
    }

    /** Whatever comes next began before the first of the open operations had returned. */
    private Frame frame(MutexState state) {
        long limit = Long.MAX_VALUE;
        List<Integer> open = new ArrayList<>();
        for (int i = firstOpen; i < required.length && required[i].invokedNanos() <= limit; i++) {
            if (!done.get(i)) {
                open.add(i);
                limit = Math.min(limit, required[i].returnedNanos());
            }
        }
        long end = limit;
        int[] candidates =
                open.stream()
                        .filter(i -> required[i].invokedNanos() <= end)
                        .sorted(Comparator.comparingLong(i -> required[i].returnedNanos()))
                        .mapToInt(Integer::intValue)
                        .toArray();
        return new Frame(state, candidates, end);
    }
}
