package io.raftlock.server.simulation;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.SessionRecord;
import io.raftlock.server.lock.Snapshot;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Where the planted bugs do their damage. Without bugs everything passes unchanged. */
final class Planted {
    private Planted() {}

    static Snapshot loaded(Set<Bug> bugs, Snapshot snapshot, LockStateMachine before) {
        if (bugs.contains(Bug.SNAPSHOT_FORGETS_ANSWERS)) {
            return withoutAnswers(snapshot);
        }
        if (bugs.contains(Bug.SNAPSHOT_IS_MERGED) && before != null) {
            return merged(snapshot, before.snapshot());
        }
        return snapshot;
    }

    private static Snapshot withoutAnswers(Snapshot whole) {
        List<SessionRecord> sessions =
                whole.sessions().stream()
                        .map(
                                each ->
                                        new SessionRecord(
                                                each.id(),
                                                each.secret(),
                                                each.ttlMillis(),
                                                each.metadata(),
                                                each.lastCommand(),
                                                each.answeredUpTo(),
                                                List.of()))
                        .toList();
        return new Snapshot(
                whole.appliedIndex(),
                whole.clockMillis(),
                whole.epochBase(),
                sessions,
                whole.locks());
    }

    private static Snapshot merged(Snapshot loaded, Snapshot before) {
        List<LockRecord> locks = new ArrayList<>(loaded.locks());
        for (LockRecord old : before.locks()) {
            boolean replaced = locks.stream().anyMatch(lock -> lock.name().equals(old.name()));
            boolean owned =
                    loaded.sessions().stream()
                            .anyMatch(each -> each.id().equals(old.hold().claim().session()));
            if (!replaced && owned) {
                locks.add(new LockRecord(old.name(), old.hold(), List.of()));
            }
        }
        return new Snapshot(
                loaded.appliedIndex(),
                loaded.clockMillis(),
                loaded.epochBase(),
                loaded.sessions(),
                locks);
    }

    static LockStateMachine machine(Set<Bug> bugs, LockStateMachine machine) {
        return bugs.contains(Bug.NO_REQUEST_TABLE)
                ? new LockStateMachine(withoutAnswers(machine.snapshot()))
                : machine;
    }

    static Entry applied(Set<Bug> bugs, Entry entry, LockStateMachine machine) {
        if (!bugs.contains(Bug.EXPIRY_IS_NOT_CHECKED_AGAIN)) {
            return entry;
        }
        List<Command> commands = new ArrayList<>();
        for (Command each : entry.commands()) {
            commands.add(
                    each instanceof Command.ExpireSession expire
                            ? new Command.ExpireSession(
                                    expire.session(),
                                    machine.lastCommand(expire.session()).orElse(0L))
                            : each);
        }
        return new Entry(entry.stampMillis(), commands);
    }

    static List<SessionRecord> sessions(Set<Bug> bugs, List<SessionRecord> open) {
        if (!bugs.contains(Bug.FAILOVER_SHORTENS_SESSIONS)) {
            return open;
        }
        return open.stream()
                .map(
                        each ->
                                new SessionRecord(
                                        each.id(),
                                        each.secret(),
                                        each.ttlMillis() / 5,
                                        each.metadata(),
                                        each.lastCommand(),
                                        each.answeredUpTo(),
                                        each.answers()))
                .toList();
    }
}
