package io.raftlock.chaos.checker;

import static io.raftlock.chaos.history.Operation.NEVER;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.Event.Returned;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.protocol.ErrorCode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What clients saw of one lock, as operations on a fenced mutex. The order comes from the clients'
 * clock alone. The ledger says only what became of calls that had no answer, or one that says
 * little, and which holds may have ended without a release: they ended at an unknown time.
 */
final class MutexHistory {
    private final Evidence evidence;
    private final RunHistory history;
    private final List<MutexOp> ops = new ArrayList<>();

    /** Tokens that a client tried to release, and so ended if the log says that a release did. */
    private final Set<Long> releaseTried = new HashSet<>();

    private MutexHistory(Evidence evidence) {
        this.evidence = evidence;
        history = evidence.history();
    }

    /** Returns the operations on the lock, given its calls in the order in which they began. */
    static List<MutexOp> of(String lock, List<Operation> calls, Evidence evidence) {
        MutexHistory mutex = new MutexHistory(evidence);
        calls.stream().filter(Operation::isAcquire).forEach(mutex::acquire);
        mutex.releases(calls);
        evidence.ledger().holds().getOrDefault(lock, List.of()).forEach(mutex::ends);
        return mutex.ops;
    }

    private void acquire(Operation call) {
        if (call.isOk()) {
            add(MutexOp.Kind.ACQUIRE, call, call.token(), call.returnedNanos());
            return;
        }
        for (Held held : evidence.holdsOf(call)) {
            add(MutexOp.Kind.ACQUIRE, call, held.token(), history.settledNanos(call));
        }
        if (call.action() == Action.TRY_LOCK
                && call.result() == Result.FAIL
                && LogPlaces.refusal(call, ErrorCode.NOT_AVAILABLE, evidence) != null) {
            add(MutexOp.Kind.BUSY, call, 0, call.returnedNanos());
        }
    }

    private void releases(List<Operation> calls) {
        Map<Long, Operation> answered = new HashMap<>();
        for (Operation call : calls) {
            if (call.action() == Action.RELEASE) {
                release(call, answered);
            }
        }
        answered.values()
                .forEach(
                        call ->
                                add(
                                        MutexOp.Kind.RELEASE,
                                        call,
                                        call.token(),
                                        history.settledNanos(call)));
    }

    private void release(Operation call, Map<Long, Operation> answered) {
        Returned returned = call.returned();
        if (history.settledNanos(call) != NEVER) {
            releaseTried.add(call.token());
            // Of a hold that was entered again, the last release is the one that frees the lock.
            answered.put(call.token(), call);
        } else if (returned != null && LogPlaces.isToldNotHeld(call)) {
            add(MutexOp.Kind.NOT_HELD, call, call.token(), returned.atNanos());
        } else {
            releaseTried.add(call.token());
            add(MutexOp.Kind.END, call, call.token(), NEVER);
        }
    }

    private void ends(Held held) {
        Operation acquire = evidence.callOf(held);
        long from = acquire == null ? Long.MIN_VALUE : acquire.invokedNanos();
        if (acquire == null) {
            ops.add(new MutexOp(MutexOp.Kind.ACQUIRE, held.call(), held.token(), from, NEVER));
        }
        if (held.how() != End.RELEASED || !releaseTried.contains(held.token())) {
            ops.add(new MutexOp(MutexOp.Kind.END, held.call(), held.token(), from, NEVER));
        }
    }

    private void add(MutexOp.Kind kind, Operation call, long token, long returnedNanos) {
        ops.add(new MutexOp(kind, call.call(), token, call.invokedNanos(), returnedNanos));
    }
}
