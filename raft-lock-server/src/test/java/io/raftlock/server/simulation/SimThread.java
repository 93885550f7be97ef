package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.server.lock.ClaimState;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import java.util.Map;
import java.util.Set;

/** One thread of a client: locks, holds, unlocks, gives up, and begins again. */
final class SimThread {
    private enum Stage {
        IDLE,
        ASKED,
        QUEUED,
        HOLDING,
        ENDING
    }

    private static final Set<ErrorCode> REFUSALS =
            Set.of(ErrorCode.NOT_AVAILABLE, ErrorCode.ALREADY_HELD);

    private final SimSession session;
    private final Chance chance;
    private final long owner;
    private Stage stage = Stage.IDLE;
    private LockName name;
    private long number;
    private long token;
    private long deadlineMillis;

    SimThread(SimSession session, long owner) {
        this.session = session;
        this.owner = owner;
        chance = session.client().chance;
    }

    LockName name() {
        return name;
    }

    long number() {
        return number;
    }

    boolean isIdle() {
        return stage == Stage.IDLE;
    }

    /** Whether it was told to wait, so that only a push or a keep-alive can tell it more. */
    boolean isQueued() {
        return stage == Stage.QUEUED;
    }

    boolean believesToHold() {
        return stage == Stage.HOLDING && (deadlineMillis == 0 || session.isBefore(deadlineMillis));
    }

    /** Whether the log has granted what it waits for. */
    boolean isGranted(History history) {
        return history.isHeldBy(name, session.id(), number);
    }

    boolean isReallyHeld(History history) {
        return history.isHeldBy(name, session.id(), number, token);
    }

    void start() {
        session.client().timeline.inMillis(chance.between(0, 60), this::act);
    }

    private void act() {
        if (session.client().isDead() || session.isOver()) {
            return;
        }
        switch (stage) {
            case IDLE -> acquire();
            case ASKED, QUEUED -> perhapsGiveUp();
            case HOLDING -> perhapsRelease();
            case ENDING -> {}
        }
        session.client().timeline.inMillis(pauseMillis(), this::act);
    }

    private long pauseMillis() {
        if (session.isLeisurely() && !session.client().isFinishing()) {
            return chance.between(100, 15_000);
        }
        return chance.percent(2) ? chance.between(0, 1_500) : chance.between(1, 40);
    }

    private void acquire() {
        if (session.client().isFinishing()) {
            return;
        }
        stage = Stage.ASKED;
        name = chance.oneOf(session.client().locks());
        long answered = session.answeredUpTo();
        number = session.nextNumber();
        long asked = number;
        long maxHold = chance.percent(30) ? chance.between(100, 3_000) : 0;
        session.ask(
                new Command.Acquire(
                        session.id(),
                        number,
                        answered,
                        name,
                        owner,
                        chance.percent(80),
                        maxHold,
                        ""),
                outcome -> acquireAnswered(asked, outcome));
    }

    private void acquireAnswered(long asked, Outcome outcome) {
        if (asked != number || stage != Stage.ASKED) {
            return;
        }
        if (outcome instanceof Outcome.Granted granted) {
            granted(asked, granted.token(), granted.deadlineMillis());
        } else if (outcome instanceof Outcome.Queued) {
            stage = Stage.QUEUED;
        } else {
            require(
                    outcome instanceof Outcome.Refused refused && REFUSALS.contains(refused.code()),
                    "an acquire that nobody cancelled is answered %s",
                    outcome);
            stage = Stage.IDLE;
        }
    }

    void granted(long asked, long newToken, long newDeadlineMillis) {
        if (asked == number && (stage == Stage.ASKED || stage == Stage.QUEUED)) {
            session.settle(number);
            token = newToken;
            deadlineMillis = newDeadlineMillis;
            stage = Stage.HOLDING;
        }
    }

    /** A keep-alive says what has become of the acquires that wait. */
    void learn(Map<Long, ClaimState> pending) {
        if (stage != Stage.QUEUED || !pending.containsKey(number)) {
            return;
        }
        ClaimState state = pending.get(number);
        if (state instanceof ClaimState.Holding holding) {
            granted(number, holding.hold().token(), holding.hold().deadlineMillis());
        } else if (state instanceof ClaimState.Gone) {
            stage = Stage.IDLE; // was granted, and its lease has run out since
        }
    }

    private void perhapsGiveUp() {
        if (chance.percent(6)) {
            session.settle(number);
            cancel();
        }
    }

    private void perhapsRelease() {
        if (!chance.percent(45)) {
            return;
        }
        if (chance.percent(5)) {
            cancel();
            return;
        }
        stage = Stage.ENDING;
        long held = number;
        long answered = session.answeredUpTo();
        boolean believed = believesToHold();
        session.ask(
                new Command.Release(
                        session.id(), session.nextNumber(), answered, name, owner, token),
                outcome -> releaseAnswered(held, believed, outcome));
    }

    private void releaseAnswered(long held, boolean believed, Outcome outcome) {
        require(
                outcome instanceof Outcome.Released || !believed || deadlineMillis != 0,
                "a release of a hold is answered %s",
                outcome);
        require(held == number && stage == Stage.ENDING, "a thread does one thing at a time");
        stage = Stage.IDLE;
    }

    private void cancel() {
        stage = Stage.ENDING;
        // The acquire counts as answered from here on only if its answer was seen: until the
        // cancel is answered, the request may still be on its way.
        long answered = Math.min(session.answeredUpTo(), number - 1);
        session.ask(
                new Command.CancelAcquire(session.id(), session.nextNumber(), answered, number),
                outcome -> {
                    require(outcome instanceof Outcome.Cancelled, "a cancel said %s", outcome);
                    stage = Stage.IDLE;
                });
    }

    @Override
    public String toString() {
        return "thread %d of session %s with token %d".formatted(owner, session.id(), token);
    }
}
