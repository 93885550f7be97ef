package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.NodeSeen;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.FaultInterval;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whether a run tested anything.
 *
 * @param reasons why it did not, in words; empty if it did
 */
public record Validity(List<String> reasons) {
    public Validity {
        reasons = List.copyOf(reasons);
    }

    public boolean isValid() {
        return reasons.isEmpty();
    }

    /** Judges a run by what happened in it, whatever its checks say. */
    public static Validity of(Evidence evidence) {
        List<String> reasons = new ArrayList<>();
        evidence.history().problems().forEach(problem -> reasons.add("recorder: " + problem));
        checkProgress(evidence.history(), reasons);
        checkProofs(evidence, reasons);
        checkLeaders(evidence, reasons);
        checkLedger(evidence, reasons);
        return new Validity(reasons);
    }

    // -- answers of every kind, before, in and after the faults

    private static void checkProgress(RunHistory history, List<String> reasons) {
        OptionalLong faults = history.beganNanos(Phase.FAULTS);
        OptionalLong recovery = history.beganNanos(Phase.RECOVERY);
        if (faults.isEmpty() || recovery.isEmpty()) {
            reasons.add("the run did not come through its phases");
            return;
        }
        long from = faults.getAsLong();
        long to = recovery.getAsLong();
        Set<Action> used = EnumSet.noneOf(Action.class);
        history.operations().forEach(call -> used.add(call.action()));
        if (used.isEmpty()) {
            reasons.add("there are no calls");
        }
        for (Action action : used) {
            requireOk(action, "before", history, Long.MIN_VALUE, from, reasons);
            requireOk(action, "in", history, from, to, reasons);
            requireOk(action, "after", history, to, Long.MAX_VALUE, reasons);
        }
    }

    private static void requireOk(
            Action action,
            String when,
            RunHistory history,
            long fromNanos,
            long toNanos,
            List<String> reasons) {
        boolean any =
                history.operations().stream()
                        .filter(call -> call.action() == action && call.isOk())
                        .mapToLong(Operation::returnedNanos)
                        .anyMatch(nanos -> nanos >= fromNanos && nanos < toNanos);
        if (!any) {
            reasons.add("no %s was OK %s the faults".formatted(action, when));
        }
    }

    // -- faults that took place

    private static void checkProofs(Evidence evidence, List<String> reasons) {
        List<FaultInterval> faults = evidence.history().faults();
        if (faults.isEmpty()) {
            reasons.add("there were no faults");
            return;
        }
        List<FaultInterval> unproven =
                faults.stream().filter(fault -> fault.proof().isEmpty()).toList();
        if (unproven.size() * 100 > faults.size() * evidence.settings().voidPercent()) {
            reasons.add(
                    "%d of %d faults have no proof that they had an effect: %s"
                            .formatted(unproven.size(), faults.size(), unproven));
        }
    }

    private static void checkLeaders(Evidence evidence, List<String> reasons) {
        boolean aimed =
                evidence.history().faults().stream()
                        .anyMatch(
                                fault ->
                                        evidence.settings().kinds().leaders().contains(fault.kind())
                                                && fault.targets()
                                                        .contains(fault.began().leader()));
        Set<Long> terms = new TreeSet<>();
        evidence.history()
                .all(NodeSeen.class)
                .filter(seen -> seen.role().equals("LEADER"))
                .forEach(seen -> terms.add(seen.term()));
        if (aimed && terms.size() < 2) {
            reasons.add("faults were aimed at the leader, and it never changed");
        }
    }

    // -- a log that is whole

    private static void checkLedger(Evidence evidence, List<String> reasons) {
        if (evidence.ledger().entries() == 0) {
            reasons.add("there is no journal");
        }
        long seen =
                evidence.history()
                        .all(NodeSeen.class)
                        .mapToLong(NodeSeen::appliedIndex)
                        .max()
                        .orElse(0);
        if (seen > evidence.ledger().lastIndex()) {
            reasons.add(
                    "a node had applied index %d, but the journals end at %d"
                            .formatted(seen, evidence.ledger().lastIndex()));
        }
        long unknown =
                evidence.history()
                        .all(NodeSeen.class)
                        .mapToLong(NodeSeen::appliedIndex)
                        .distinct()
                        .filter(index -> evidence.ledger().digestAt(index).isEmpty())
                        .count();
        if (unknown > 0) {
            reasons.add("%d indexes that nodes had applied are in no journal".formatted(unknown));
        }
    }
}
