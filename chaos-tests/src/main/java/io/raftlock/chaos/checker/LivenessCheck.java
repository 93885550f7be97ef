package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.FaultInterval;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.history.RunHistory;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Clients get somewhere: soon after each fault, and each call at last. */
public final class LivenessCheck implements Check {
    @Override
    public int invariant() {
        return 14;
    }

    @Override
    public String title() {
        return "liveness";
    }

    @Override
    public String description() {
        return "no gap without an OK answer, and no call, is longer than its bound";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "faults and calls");
        long[] answers = okAnswers(evidence.history());
        for (FaultInterval fault : evidence.history().faults()) {
            findings.look();
            checkGap(fault, answers, evidence, findings);
        }
        checkCalls(evidence, findings);
        return findings.done();
    }

    /**
     * Returns the longest time without an OK answer from the beginning of the fault on, until some
     * time after its end.
     */
    public static Duration longestGap(FaultInterval fault, Evidence evidence) {
        return gap(fault, okAnswers(evidence.history()), evidence);
    }

    private static long[] okAnswers(RunHistory history) {
        return history.operations().stream()
                .filter(Operation::isOk)
                .mapToLong(Operation::returnedNanos)
                .sorted()
                .toArray();
    }

    private static Duration gap(FaultInterval fault, long[] answers, Evidence evidence) {
        RunHistory history = evidence.history();
        long lastNanos = history.beganNanos(Phase.FINAL).orElse(history.endNanos());
        long recoveryNanos = evidence.settings().times().recovery().toNanos();
        long endNanos =
                fault.ended() == null
                        ? lastNanos
                        : Math.min(lastNanos, fault.endedNanos() + recoveryNanos);
        int next = Arrays.binarySearch(answers, fault.beganNanos());
        long before = fault.beganNanos();
        long longest = 0;
        for (int i = next >= 0 ? next : -next - 1;
                i < answers.length && answers[i] <= endNanos;
                i++) {
            longest = Math.max(longest, answers[i] - before);
            before = answers[i];
        }
        return Duration.ofNanos(Math.max(longest, endNanos - before));
    }

    private static void checkGap(
            FaultInterval fault, long[] answers, Evidence evidence, Findings findings) {
        CheckSettings.Times times = evidence.settings().times();
        Duration bound = times.gapByStep().getOrDefault(fault.began().step(), times.gap());
        Duration gap = gap(fault, answers, evidence);
        if (gap.compareTo(bound) > 0) {
            findings.add(
                    "in and after %s nobody got anywhere for %,d ms; the bound is %,d ms"
                            .formatted(fault, gap.toMillis(), bound.toMillis()),
                    fault.beganNanos(),
                    List.of());
        }
    }

    private static void checkCalls(Evidence evidence, Findings findings) {
        RunHistory history = evidence.history();
        long stopNanos = history.beganNanos(Phase.STOP).orElse(history.endNanos());
        Map<String, Long> ended = new HashMap<>();
        history.all(Event.ClientEnded.class)
                .forEach(event -> ended.put(event.client(), event.atNanos()));
        for (Operation call : history.operations()) {
            findings.look();
            long endNanos = Math.min(stopNanos, ended.getOrDefault(call.client(), stopNanos));
            long boundNanos = evidence.settings().times().answer().toNanos();
            if (!call.isAnswered() && ended.getOrDefault(call.client(), stopNanos) >= stopNanos) {
                report(
                        "%s had not come back when the run ended, after %,d ms",
                        call, endNanos, findings);
            } else if (lasted(call, endNanos) > boundNanos) {
                report("%s took longer than its bound: %,d ms", call, endNanos, findings);
            }
        }
    }

    private static long lasted(Operation call, long endNanos) {
        Event.Returned returned = call.returned();
        return (returned == null ? endNanos : returned.atNanos()) - call.invokedNanos();
    }

    private static void report(String text, Operation call, long endNanos, Findings findings) {
        findings.add(
                text.formatted(call, lasted(call, endNanos) / 1_000_000),
                call.invokedNanos(),
                List.of(call.call()));
    }
}
