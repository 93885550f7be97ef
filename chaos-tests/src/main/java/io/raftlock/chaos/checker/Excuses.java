package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.ClientStarted;
import io.raftlock.chaos.history.FaultInterval;
import io.raftlock.chaos.history.RunHistory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** When the clocks of a run did not go at one rate, so that times are not bounded. */
final class Excuses {
    private final List<FaultInterval> ofClients;
    private final List<FaultInterval> ofNodes;
    private final Map<String, String> processes = new HashMap<>();
    private final long afterNanos;

    Excuses(Evidence evidence) {
        CheckSettings settings = evidence.settings();
        RunHistory history = evidence.history();
        ofClients = ofKinds(history, settings.kinds().clientClocks());
        ofNodes = ofKinds(history, settings.kinds().nodeClocks());
        afterNanos = settings.times().afterFault().toNanos();
        history.all(ClientStarted.class)
                .forEach(started -> processes.put(started.client(), started.process()));
    }

    private static List<FaultInterval> ofKinds(RunHistory history, Set<String> kinds) {
        return history.faults().stream().filter(fault -> kinds.contains(fault.kind())).toList();
    }

    /** Whether the client's clock, or a node's, was off at any time in between. */
    boolean excuse(String client, long fromNanos, long toNanos) {
        String process = processes.getOrDefault(client, client);
        return nodes(fromNanos, toNanos)
                || ofClients.stream()
                        .filter(fault -> fault.targets().contains(process))
                        .anyMatch(fault -> touches(fault, fromNanos, toNanos));
    }

    /** Whether a node's clock was off at any time in between. */
    boolean nodes(long fromNanos, long toNanos) {
        return ofNodes.stream().anyMatch(fault -> touches(fault, fromNanos, toNanos));
    }

    private boolean touches(FaultInterval fault, long fromNanos, long toNanos) {
        return fault.touches(fromNanos - afterNanos, toNanos);
    }
}
