package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Returned;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.Ledger;
import io.raftlock.chaos.ledger.SessionLife;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that is known of a run: what clients, nodes and the run itself reported, and what the nodes'
 * logs say. Knows which hold is which call's. Immutable.
 */
public final class Evidence {
    private final RunHistory history;
    private final Ledger ledger;
    private final CheckSettings settings;

    /** Calls whose acquire did not carry their id, by the token that they were told. */
    private final Map<Long, List<Held>> unnamed = new HashMap<>();

    private final Map<Held, Operation> unnamedCalls = new HashMap<>();

    public Evidence(RunHistory history, Ledger ledger, CheckSettings settings) {
        this.history = history;
        this.ledger = ledger;
        this.settings = settings;
        history.operations().stream().filter(Operation::isAcquire).forEach(this::findUnnamed);
    }

    private void findUnnamed(Operation call) {
        Returned returned = call.returned();
        if (returned == null || returned.token() == 0) {
            return;
        }
        Held held = ledger.hold(call.lock(), returned.token());
        if (held != null && held.call() == 0 && isOfClient(held, call.client())) {
            unnamed.put(call.call(), List.of(held));
            unnamedCalls.putIfAbsent(held, call);
        }
    }

    private boolean isOfClient(Held held, String client) {
        SessionLife session = ledger.sessions().get(held.session());
        return session != null && session.client().equals(client);
    }

    public RunHistory history() {
        return history;
    }

    public Ledger ledger() {
        return ledger;
    }

    public CheckSettings settings() {
        return settings;
    }

    /** Returns the holds that an acquire came to: one at most, if all is well. */
    List<Held> holdsOf(Operation acquire) {
        List<Held> named = ledger.holdsOf(acquire.call());
        return named.isEmpty() ? unnamed.getOrDefault(acquire.call(), List.of()) : named;
    }

    /** Returns the call that came to this hold, or null if no report of one is there. */
    @Nullable Operation callOf(Held held) {
        return held.call() == 0 ? unnamedCalls.get(held) : history.operation(held.call());
    }
}
