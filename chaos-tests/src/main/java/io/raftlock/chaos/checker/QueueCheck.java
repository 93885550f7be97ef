package io.raftlock.chaos.checker;

import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.Waited;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who waits longest is next, by the order of the log; and nobody waits for a lock that is free. */
final class QueueCheck implements Check {
    @Override
    public int invariant() {
        return 13;
    }

    @Override
    public String title() {
        return "fair order";
    }

    @Override
    public String description() {
        return "grants follow the order of the queue, and a free lock has nobody waiting";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "waits");
        Map<String, List<Held>> holds = evidence.ledger().holds();
        evidence.ledger()
                .waits()
                .forEach(
                        (lock, waits) -> {
                            findings.look(waits.size());
                            checkOrder(waits, findings);
                            checkWakeUps(waits, holds.getOrDefault(lock, List.of()), findings);
                        });
        return findings.done();
    }

    static void checkOrder(List<Waited> inOrder, Findings findings) {
        Waited longest = null;
        for (Waited wait : inOrder) {
            if (longest != null && wait.how() == End.GRANTED && longest.ended() > wait.ended()) {
                report("the %s was granted before the earlier %s", wait, longest, findings);
            }
            if (longest == null || wait.ended() > longest.ended()) {
                longest = wait;
            }
        }
    }

    private static void report(String text, Waited one, Waited two, Findings findings) {
        findings.add(text.formatted(one, two), Violation.NO_TIME, List.of(one.call(), two.call()));
    }

    /** Where a hold ends and none begins, nobody may be waiting. */
    static void checkWakeUps(List<Waited> waits, List<Held> holds, Findings findings) {
        Set<Long> granted = new HashSet<>();
        holds.forEach(held -> granted.add(held.granted()));
        long[] enqueued = waits.stream().mapToLong(Waited::enqueued).toArray();
        Waited[] longest = longestUpTo(waits);
        for (Held held : holds) {
            int before = countBelow(enqueued, held.ended());
            if (held.how() != End.NONE
                    && !granted.contains(held.ended())
                    && before > 0
                    && longest[before - 1].ended() > held.ended()) {
                findings.add(
                        "the %s ended at %d, and the lock was free though there was the %s"
                                .formatted(held, held.ended(), longest[before - 1]),
                        Violation.NO_TIME,
                        List.of(held.call(), longest[before - 1].call()));
            }
        }
    }

    private static Waited[] longestUpTo(List<Waited> waits) {
        Waited[] longest = waits.toArray(Waited[]::new);
        for (int i = 1; i < longest.length; i++) {
            if (longest[i - 1].ended() > longest[i].ended()) {
                longest[i] = longest[i - 1];
            }
        }
        return longest;
    }

    private static int countBelow(long[] sorted, long value) {
        int found = Arrays.binarySearch(sorted, value);
        return found >= 0 ? found : -found - 1;
    }
}
