package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** The holds that end by themselves, the next to end first. */
final class HoldDeadlines {
    private record Deadline(long atMillis, long token, LockName name) {}

    private final TreeSet<Deadline> inOrder =
            new TreeSet<>(
                    Comparator.comparingLong(Deadline::atMillis)
                            .thenComparingLong(Deadline::token)
                            .thenComparing(deadline -> deadline.name().value()));

    boolean isEmpty() {
        return inOrder.isEmpty();
    }

    void add(Hold hold) {
        if (hold.hasDeadline()) {
            inOrder.add(deadline(hold));
        }
    }

    void remove(Hold hold) {
        if (hold.hasDeadline()) {
            Invariant.check(inOrder.remove(deadline(hold)), "a hold's deadline is known");
        }
    }

    List<Command.ExpireHold> overdue(long clockMillis, int limit) {
        return inOrder.stream()
                .takeWhile(deadline -> deadline.atMillis() <= clockMillis)
                .limit(limit)
                .map(deadline -> new Command.ExpireHold(deadline.name(), deadline.token()))
                .toList();
    }

    private static Deadline deadline(Hold hold) {
        return new Deadline(hold.deadlineMillis(), hold.token(), hold.claim().name());
    }
}
