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

/**
 * Clients get somewhere: soon after each fault, and each call at last.
 *
 * <p>A machine that stands still under the whole run is not the cluster's doing, so each bound is
 * longer by what it stood still in the time that is looked at.
 */
public final class LivenessCheck implements Check {
    /** Its number. */
    public static final int INVARIANT = 14;

    /**
     * By which a bound may become longer at most: a cluster that is busy enough to hold up its own
     * machine must not get any time that it likes.
     */
    static final Duration MOST_ALLOWED = Duration.ofSeconds(10);

    @Override
    public int invariant() {
        return INVARIANT;
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
        return gap(window(fault, evidence), okAnswers(evidence.history()));
    }

    private static long[] okAnswers(RunHistory history) {
        return history.operations().stream()
                .filter(Operation::isOk)
                .mapToLong(Operation::returnedNanos)
                .sorted()
                .toArray();
    }

    private record Window(long fromNanos, long toNanos) {
        Duration length() {
            return Duration.ofNanos(toNanos - fromNanos);
        }
    }

    private static Window window(FaultInterval fault, Evidence evidence) {
        RunHistory history = evidence.history();
        long lastNanos = history.beganNanos(Phase.FINAL).orElse(history.endNanos());
        long recoveryNanos = evidence.settings().times().recovery().toNanos();
        long endNanos =
                fault.ended() == null
                        ? lastNanos
                        : Math.min(lastNanos, fault.endedNanos() + recoveryNanos);
        return new Window(fault.beganNanos(), endNanos);
    }

    private static Duration gap(Window window, long[] answers) {
        int next = Arrays.binarySearch(answers, window.fromNanos);
        long before = window.fromNanos;
        long longest = 0;
        for (int i = next >= 0 ? next : -next - 1;
                i < answers.length && answers[i] <= window.toNanos;
                i++) {
            longest = Math.max(longest, answers[i] - before);
            before = answers[i];
        }
        return Duration.ofNanos(Math.max(longest, window.toNanos - before));
    }

    /** A bound, and by how much it is longer as the machine stood still. */
    private record Bound(Duration usual, Duration allowed) {
        static Bound of(Duration usual, Window window, RunHistory history) {
            Duration stood = history.stalls().within(window.fromNanos, window.toNanos);
            return new Bound(usual, stood.compareTo(MOST_ALLOWED) > 0 ? MOST_ALLOWED : stood);
        }

        boolean isBroken(Duration lasted) {
            return lasted.compareTo(usual.plus(allowed)) > 0;
        }

        @Override
        public String toString() {
            String own = "%,d ms".formatted(usual.toMillis());
            return allowed.isZero()
                    ? own
                    : "%s and %,d ms more, as the machine stood still"
                            .formatted(own, allowed.toMillis());
        }
    }

    private static void checkGap(
            FaultInterval fault, long[] answers, Evidence evidence, Findings findings) {
        CheckSettings.Times times = evidence.settings().times();
        Duration usual = times.gapByStep().getOrDefault(fault.began().step(), times.gap());
        Window window = window(fault, evidence);
        Bound bound = Bound.of(usual, window, evidence.history());
        Duration gap = gap(window, answers);
        if (bound.isBroken(gap)) {
            findings.add(
                    "in and after %s nobody got anywhere for %,d ms; the bound is %s"
                            .formatted(fault, gap.toMillis(), bound),
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
            long clientNanos = ended.getOrDefault(call.client(), stopNanos);
            Window window = window(call, Math.min(stopNanos, clientNanos));
            if (!call.isAnswered() && clientNanos >= stopNanos) {
                report(
                        "%s had not come back when the run ended, after %,d ms"
                                .formatted(call, window.length().toMillis()),
                        call,
                        findings);
            } else {
                checkCall(call, window, evidence, findings);
            }
        }
    }

    private static Window window(Operation call, long endNanos) {
        Event.Returned returned = call.returned();
        return new Window(call.invokedNanos(), returned == null ? endNanos : returned.atNanos());
    }

    private static void checkCall(
            Operation call, Window window, Evidence evidence, Findings findings) {
        Duration usual = evidence.settings().times().answer();
        if (window.length().compareTo(usual) <= 0) {
            return;
        }
        Bound bound = Bound.of(usual, window, evidence.history());
        if (bound.isBroken(window.length())) {
            report(
                    "%s took %,d ms; its bound is %s"
                            .formatted(call, window.length().toMillis(), bound),
                    call,
                    findings);
        }
    }

    private static void report(String text, Operation call, Findings findings) {
        findings.add(text, call.invokedNanos(), List.of(call.call()));
    }
}
