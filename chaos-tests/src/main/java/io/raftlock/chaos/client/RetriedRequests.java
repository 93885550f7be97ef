package io.raftlock.chaos.client;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import java.util.Optional;

/**
 * W10: asks for an acquire and for its release several times under one number each: after the
 * answer was dropped with its connection, after it was had, and by two nodes. Answers that are not
 * equal are noted as "retry".
 *
 * <p>A retry is a call of its own, without a token if it is of an acquire; what it retries is in
 * the detail of its end. The metadata in the log is that of the call that was first. If that had no
 * answer, the hold is reported under the retry that had one.
 */
final class RetriedRequests implements Workload {
    private static final int MOST_RETRIES = 3;
    private static final long LONGEST_WAIT_MILLIS = 3;

    private final Actor actor;
    private final PlainLocks locks;

    RetriedRequests(Actor actor, Nodes nodes) {
        this.actor = actor;
        this.locks = new PlainLocks(actor, nodes);
    }

    /**
     * What is asked for again.
     *
     * @param call that was the first
     * @param token that is released; 0 for an acquire
     */
    private record Asked(NumberedSession by, Request request, String lock, long call, long token) {}

    /**
     * An answer.
     *
     * @param call that had it
     * @param atNanos when
     */
    private record Answered(long call, long atNanos, Response response) {}

    @Override
    public void cycle() {
        actor.pace();
        try {
            acquireAndRelease(locks.session());
        } catch (UnsettledException e) {
            locks.letGo();
        }
    }

    @Override
    public void letGo() {
        locks.letGo();
    }

    private void acquireAndRelease(NumberedSession by) throws UnsettledException {
        String lock = actor.anyLock();
        long call = actor.calls().invoked(actor.number(), Action.TRY_LOCK, lock, 0);
        Answered answer = askOften(new Asked(by, by.acquire(lock, false, call), lock, call, 0));
        if (answer.response instanceof Response.Granted granted) {
            long token = granted.grant().token();
            Holding holding = locks.holding(by, lock, answer.call, token, answer.atNanos);
            holding.keep(actor.anyNanos(actor.spec().holdMillis()));
            holding.giveUp();
            release(by, lock, token);
        }
    }

    private void release(NumberedSession by, String lock, long token) throws UnsettledException {
        long call = actor.calls().invoked(actor.number(), Action.RELEASE, lock, token);
        askOften(new Asked(by, by.release(lock, token), lock, call, token));
    }

    /** Returns the first answer that was had. */
    private Answered askOften(Asked asked) throws UnsettledException {
        Optional<Answered> atFirst = askFirst(asked);
        Optional<Response> elsewhere =
                actor.random().nextBoolean() ? askElsewhere(asked) : Optional.empty();
        Answered first = atFirst.isPresent() ? atFirst.get() : retry(asked);
        elsewhere.ifPresent(answer -> compare(asked, first.response, answer));
        try {
            for (int i = actor.random().nextInt(MOST_RETRIES); i >= 0; i--) {
                compare(asked, first.response, retry(asked).response);
            }
        } catch (UnsettledException e) {
            // There is an answer, and with it perhaps a hold that has to be brought to its end.
            return first;
        }
        return first;
    }

    private Optional<Answered> askFirst(Asked asked) throws UnsettledException {
        if (actor.random().nextBoolean()) {
            return Optional.of(settle(asked, asked.call, ""));
        }
        asked.by.sendAndDrop(asked.request, actor.anyNanos(LONGEST_WAIT_MILLIS));
        actor.calls().returned(asked.call, Ending.info("answer dropped"));
        return Optional.empty();
    }

    private Answered retry(Asked asked) throws UnsettledException {
        if (actor.random().nextBoolean()) {
            asked.by.disconnect();
        }
        return settle(asked, retried(asked), "of call " + asked.call);
    }

    private Answered settle(Asked asked, long call, String detail) throws UnsettledException {
        try {
            Response answer = asked.by.settle(asked.request);
            return new Answered(call, returned(asked, call, answer, detail), answer);
        } catch (UnsettledException e) {
            actor.calls().returned(call, Ending.info("unsettled " + detail));
            throw e;
        }
    }

    private Optional<Response> askElsewhere(Asked asked) {
        long call = retried(asked);
        Optional<Response> answer = asked.by.askElsewhere(asked.request);
        String detail = "elsewhere, of call " + asked.call;
        if (answer.isPresent()) {
            returned(asked, call, answer.get(), detail);
        } else {
            actor.calls().returned(call, Ending.info("no answer " + detail));
        }
        return answer;
    }

    private long retried(Asked asked) {
        return actor.calls().invoked(actor.number(), Action.RETRY, asked.lock, asked.token);
    }

    private long returned(Asked asked, long call, Response answer, String detail) {
        if (answer instanceof Response.Granted granted) {
            return actor.calls().returned(call, Result.OK, granted.grant().token(), detail);
        }
        Ending ending =
                asked.token == 0 ? PlainLocks.refused(answer) : PlainLocks.ofRelease(answer);
        return actor.calls()
                .returned(call, ending.result(), 0, (ending.detail() + ' ' + detail).strip());
    }

    /** The cluster clock goes on, and a session may end: apart from that, all answers are equal. */
    private void compare(Asked asked, Response first, Response next) {
        boolean comparable = !isOver(first) && !isOver(next);
        if (comparable && !essence(first).equals(essence(next))) {
            actor.calls()
                    .noted(
                            "retry",
                            "call %d, on %s: first %s, then %s"
                                    .formatted(asked.call, asked.lock, first, next));
        }
    }

    private static boolean isOver(Response answer) {
        return NumberedSession.isRefusedAs(ErrorCode.SESSION_EXPIRED, answer);
    }

    private static Object essence(Response answer) {
        if (answer instanceof Response.Granted granted) {
            return granted.grant();
        }
        return answer instanceof Response.Refused refused ? refused.code() : answer;
    }
}
