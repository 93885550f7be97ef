package io.raftlock.chaos.ledger;

import io.raftlock.chaos.ledger.JournalSource.Recorded;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.format.StateDigest;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.LogPosition;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Outcome;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Applies the log to a state machine of its own, and writes down what each command did. */
final class Replay {
    private final LockStateMachine state = new LockStateMachine();
    private final LedgerProblems problems;
    private final Set<Long> digestsWanted;
    private final Map<Long, String> digests = new HashMap<>();
    private final HoldBook holds = new HoldBook();
    private final Map<Long, SessionLife> sessions = new LinkedHashMap<>();
    private final Map<NumberOf, NumberedCommand> requests = new LinkedHashMap<>();
    private final ClockOfEntries clock = new ClockOfEntries();
    private long lastTerm;

    private record NumberOf(long session, long number) {}

    Replay(LedgerProblems problems, Set<Long> digestsWanted) {
        this.problems = problems;
        this.digestsWanted = digestsWanted;
        digestIfWanted(0);
    }

    /** Applies one entry; returns false if it cannot be, and so nothing after it either. */
    boolean apply(Recorded recorded) {
        checkTerm(recorded);
        long index = recorded.index();
        try {
            Entry entry = EntryCodec.decode(ByteBuffer.wrap(recorded.entry()), Formats.NEWEST);
            Applied applied = state.apply(index, entry);
            clock.add(index, state.clockMillis());
            writeDown(index, entry.commands(), applied);
        } catch (RuntimeException e) {
            problems.unreadable(index, e);
            return false;
        }
        digestIfWanted(index);
        return true;
    }

    private void checkTerm(Recorded recorded) {
        if (recorded.term() < lastTerm) {
            problems.termFell(recorded.index(), lastTerm, recorded.term());
        }
        lastTerm = Math.max(lastTerm, recorded.term());
    }

    private void digestIfWanted(long index) {
        if (digestsWanted.contains(index)) {
            digests.put(index, StateDigest.of(state.snapshot()));
        }
    }

    private void writeDown(long index, List<Command> commands, Applied applied) {
        Map<Long, List<Notice.WaiterGranted>> granted = grantsByPosition(applied.notices());
        for (int slot = 0; slot < commands.size(); slot++) {
            long position = LogPosition.of(index, slot).value();
            writeDown(position, commands.get(slot), applied.outcomes().get(slot));
            for (Notice.WaiterGranted grant : granted.getOrDefault(position, List.of())) {
                holds.waiterGranted(
                        grant.session().value(), grant.number(), grant.token(), position);
            }
        }
    }

    /** A waiter's token is the position of the command that made room for it. */
    private static Map<Long, List<Notice.WaiterGranted>> grantsByPosition(List<Notice> notices) {
        Map<Long, List<Notice.WaiterGranted>> byPosition = new HashMap<>();
        for (Notice notice : notices) {
            if (notice instanceof Notice.WaiterGranted granted) {
                byPosition
                        .computeIfAbsent(granted.token(), token -> new ArrayList<>())
                        .add(granted);
            }
        }
        return byPosition;
    }

    private void writeDown(long position, Command command, Outcome outcome) {
        switch (command.kind()) {
            case OPEN_SESSION -> opened(position, (Command.OpenSession) command, outcome);
            case CLOSE_SESSION -> {
                if (outcome instanceof Outcome.SessionClosed) {
                    long session = ((Command.CloseSession) command).session().value();
                    sessionEnded(session, position, End.SESSION_CLOSED);
                }
            }
            case EXPIRE_SESSION -> {
                if (outcome instanceof Outcome.Done) {
                    long session = ((Command.ExpireSession) command).session().value();
                    sessionEnded(session, position, End.SESSION_EXPIRED);
                }
            }
            case EXPIRE_HOLD -> {
                if (outcome instanceof Outcome.Done) {
                    Command.ExpireHold expire = (Command.ExpireHold) command;
                    holds.endHold(expire.name().value(), expire.token(), position, End.MAX_HOLD);
                }
            }
            case NOTE_ALIVE -> spoke(((Command.NoteAlive) command).session().value(), position);
            case ACQUIRE, CANCEL_ACQUIRE, RELEASE ->
                    numbered(position, (Command.Numbered) command, outcome);
            case NOTE_SILENCE, STAMP, RAISE_FORMAT, MALFORMED -> {}
        }
    }

    private void opened(long position, Command.OpenSession open, Outcome outcome) {
        if (outcome instanceof Outcome.SessionOpened opened) {
            long id = opened.session().value();
            SessionLife life =
                    new SessionLife(
                            id,
                            open.metadata().name(),
                            opened.ttlMillis(),
                            position,
                            Held.NOT_ENDED,
                            End.NONE,
                            position);
            sessions.putIfAbsent(id, life);
            spoke(id, position);
        }
    }

    private void spoke(long session, long position) {
        sessions.computeIfPresent(
                session, (id, life) -> life.how() == End.NONE ? life.spokeAt(position) : life);
    }

    private void sessionEnded(long session, long position, End how) {
        SessionLife life = sessions.get(session);
        if (life != null && life.how() == End.NONE) {
            sessions.put(session, life.endedAt(position, how));
            holds.sessionEnded(session, position, how);
        }
    }

    private void numbered(long position, Command.Numbered command, Outcome outcome) {
        long session = command.session().value();
        spoke(session, position);
        NumberedCommand request =
                requests.computeIfAbsent(
                        new NumberOf(session, command.number()),
                        id -> new NumberedCommand(command));
        boolean again = request.isPerformed();
        request.add(position, outcome);
        if (!again) {
            performed(position, command, outcome);
        }
    }

    private void performed(long position, Command.Numbered command, Outcome outcome) {
        long session = command.session().value();
        if (command instanceof Command.Acquire acquire) {
            acquired(position, acquire, outcome);
        } else if (command instanceof Command.Release release) {
            if (outcome instanceof Outcome.Released) {
                holds.endHold(release.name().value(), release.token(), position, End.RELEASED);
            }
        } else if (outcome instanceof Outcome.Cancelled) {
            long number = ((Command.CancelAcquire) command).acquireNumber();
            holds.cancelled(session, number, position);
        }
    }

    private void acquired(long position, Command.Acquire acquire, Outcome outcome) {
        if (outcome instanceof Outcome.Granted granted) {
            holds.granted(acquire, granted.token(), position);
        } else if (outcome instanceof Outcome.Queued queued) {
            holds.queued(acquire, queued.position(), position);
        }
    }

    Map<Long, String> digests() {
        return digests;
    }

    HoldBook holds() {
        return holds;
    }

    Map<Long, SessionLife> sessions() {
        return sessions;
    }

    List<NumberedCommand> requests() {
        return List.copyOf(requests.values());
    }

    ClockOfEntries clock() {
        return clock;
    }
}
