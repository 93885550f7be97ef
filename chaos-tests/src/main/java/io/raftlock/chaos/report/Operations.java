package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Action;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts the calls of a run. */
final class Operations {
    private Operations() {}

    /** Returns a line for each action that there was. */
    static List<OperationCount> counts(List<Call> calls) {
        Map<Action, Tally> tallies = new EnumMap<>(Action.class);
        for (Call call : calls) {
            tallies.computeIfAbsent(call.asked().action(), any -> new Tally()).add(call);
        }
        return tallies.entrySet().stream()
                .map(entry -> entry.getValue().count(entry.getKey().name()))
                .toList();
    }

    /** Returns a line for each phase. */
    static List<PhaseRate> rates(Run run) {
        List<PhaseSpan> phases = run.intervals().phases();
        Map<PhaseSpan, Tally> tallies = new LinkedHashMap<>();
        phases.forEach(phase -> tallies.put(phase, new Tally()));
        for (Call call : run.calls()) {
            if (call.answer() != null) {
                count(call, call.answer().atNanos(), tallies);
            }
        }
        return tallies.entrySet().stream()
                .map(entry -> entry.getValue().rate(entry.getKey()))
                .toList();
    }

    /** Phases touch: what is at the border of two is counted in the first. */
    private static void count(Call call, long atNanos, Map<PhaseSpan, Tally> tallies) {
        for (Map.Entry<PhaseSpan, Tally> phase : tallies.entrySet()) {
            if (phase.getKey().span().covers(atNanos)) {
                phase.getValue().add(call);
                return;
            }
        }
    }
}
