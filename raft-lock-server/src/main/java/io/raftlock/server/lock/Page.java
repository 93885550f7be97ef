package io.raftlock.server.lock;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Neighbours in the order of all locks. Never changes, since snapshots share it. */
final class Page {
    static final int MAX_LOCKS = 64;

    private final Lock[] locks;

    private Page(Lock[] locks) {
        this.locks = locks;
    }

    Page(List<Lock> locks) {
        this(locks.toArray(Lock[]::new));
    }

    int size() {
        return locks.length;
    }

    Lock get(int at) {
        return locks[at];
    }

    Stream<Lock> stream() {
        return Arrays.stream(locks);
    }

    boolean isEmpty() {
        return locks.length == 0;
    }

    /** Whether so few are left that a neighbour may have room for them. */
    boolean isSparse() {
        return locks.length <= MAX_LOCKS / 2;
    }

    boolean hasRoomFor(Page other) {
        return locks.length + other.locks.length <= MAX_LOCKS;
    }

    /** Returns this page and the next as one. */
    Page with(Page next) {
        Lock[] both = Arrays.copyOf(locks, locks.length + next.locks.length);
        System.arraycopy(next.locks, 0, both, locks.length, next.locks.length);
        return new Page(both);
    }

    Page replace(Lock lock, Lock by) {
        Lock[] changed = locks.clone();
        changed[indexOf(lock)] = by;
        return new Page(changed);
    }

    Page without(Lock lock) {
        int at = indexOf(lock);
        Lock[] fewer = Arrays.copyOf(locks, locks.length - 1);
        System.arraycopy(locks, at + 1, fewer, at, fewer.length - at);
        return new Page(fewer);
    }

    private int indexOf(Lock lock) {
        return indexOf(lock, Arrays.asList(locks));
    }

    /** Returns where the lock is among others in their order. */
    static int indexOf(Lock lock, List<Lock> locks) {
        int low = 0;
        int high = locks.size() - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (locks.get(middle).place() < lock.place()) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Invariant.check(locks.get(low) == lock, "a lock that was replaced changes no more");
        return low;
    }
}
