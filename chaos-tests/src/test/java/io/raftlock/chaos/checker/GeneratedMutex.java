package io.raftlock.chaos.checker;

import static io.raftlock.chaos.history.Operation.NEVER;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes histories of a mutex that can be explained: a mutex is used step by step, and each step is
 * seen by its client as a time around it, or has no answer. Owned by one test.
 */
final class GeneratedMutex {
    static final long STEP_NANOS = 100;

    private final Random random;
    private final int spread;
    private final int silentPercent;
    private final boolean named;
    private final List<MutexOp> ops = new ArrayList<>();
    private final List<Long> past = new ArrayList<>();
    private long step;
    private long holder;

    private GeneratedMutex(Random random, int spread, int silentPercent, boolean named) {
        this.random = random;
        this.spread = spread;
        this.silentPercent = silentPercent;
        this.named = named;
    }

    /**
     * Returns operations in the order of their steps.
     *
     * @param spread how many steps a call may begin before its own, and return after it, at most
     * @param silentPercent of the steps have no answer
     * @param named whether who finds the lock taken is told by whom
     */
    static List<MutexOp> steps(
            Random random, int count, int spread, int silentPercent, boolean named) {
        GeneratedMutex mutex = new GeneratedMutex(random, spread, silentPercent, named);
        while (mutex.ops.size() < count) {
            mutex.step++;
            mutex.step();
        }
        return mutex.ops;
    }

    private void step() {
        boolean silent = random.nextInt(100) < silentPercent;
        if (!past.isEmpty() && random.nextInt(8) == 0) {
            refusedRelease();
        } else if (holder == 0) {
            acquire(silent);
        } else if (random.nextInt(3) == 0) {
            add(MutexOp.Kind.BUSY, named ? holder : 0, false);
        } else {
            add(silent ? MutexOp.Kind.END : MutexOp.Kind.RELEASE, holder, silent);
            past.add(holder);
            holder = 0;
        }
    }

    private void acquire(boolean silent) {
        if (silent && random.nextBoolean()) {
            // Never arrived: the mutex stays free.
            add(MutexOp.Kind.ACQUIRE, 0, true);
            return;
        }
        holder = 10 * step;
        add(MutexOp.Kind.ACQUIRE, holder, silent);
    }

    private void refusedRelease() {
        long token = past.get(random.nextInt(past.size()));
        add(MutexOp.Kind.NOT_HELD, token, false);
        int last = ops.size() - 1;
        long known = knownFrom(token);
        // Who releases was told the token before, but for the few who guess it.
        if (random.nextInt(10) != 0) {
            MutexOp op = ops.remove(last);
            if (known <= step * STEP_NANOS) {
                long invoked = Math.max(known, op.invokedNanos());
                ops.add(timed(op, invoked, op.returnedNanos()));
            }
        }
    }

    private long knownFrom(long token) {
        return ops.stream()
                .filter(op -> op.kind() == MutexOp.Kind.ACQUIRE && op.token() == token)
                .mapToLong(MutexOp::returnedNanos)
                .findFirst()
                .orElse(NEVER);
    }

    private void add(MutexOp.Kind kind, long token, boolean silent) {
        long at = step * STEP_NANOS;
        long invoked = at - random.nextInt(spread * (int) STEP_NANOS);
        long returned = silent ? NEVER : at + random.nextInt(spread * (int) STEP_NANOS);
        ops.add(new MutexOp(kind, step, token, invoked, returned));
    }

    /** Returns the same with one thing changed, which may or may not still be explained. */
    static List<MutexOp> corrupted(List<MutexOp> ops, Random random) {
        List<MutexOp> changed = new ArrayList<>(ops);
        int at = random.nextInt(changed.size());
        int other = random.nextInt(changed.size());
        MutexOp op = changed.get(at);
        MutexOp two = changed.get(other);
        switch (random.nextInt(5)) {
            case 0 -> changed.set(at, shifted(op, (random.nextInt(9) - 4) * STEP_NANOS));
            case 1 -> changed.set(at, two.token() == 0 ? op : withToken(op, two.token()));
            case 2 ->
                    changed.set(
                            at,
                            op.isOptional() ? op : timed(op, op.invokedNanos(), op.invokedNanos()));
            case 3 -> {
                if (op.isOptional() != two.isOptional()) {
                    return changed;
                }
                changed.set(at, timed(op, two.invokedNanos(), two.returnedNanos()));
                changed.set(other, timed(two, op.invokedNanos(), op.returnedNanos()));
            }
            default -> changed.remove(at);
        }
        return changed;
    }

    static MutexOp shifted(MutexOp op, long nanos) {
        return timed(
                op,
                op.invokedNanos() + nanos,
                op.isOptional() ? NEVER : op.returnedNanos() + nanos);
    }

    static MutexOp timed(MutexOp op, long invoked, long returned) {
        return new MutexOp(op.kind(), op.call(), op.token(), invoked, returned);
    }

    static MutexOp withToken(MutexOp op, long token) {
        return new MutexOp(op.kind(), op.call(), token, op.invokedNanos(), op.returnedNanos());
    }
}
