package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Wait;

import java.time.Duration;
import java.util.List;

/** Checks that nobody waits for ever, where for ever is a bound that the test names. */
public final class WaitChecks {
    private WaitChecks() {}

    /** Finds calls that took longer than the bound, or have by now and are not answered. */
    public static List<Violation> bounded(List<Wait> waits, Duration bound, long nowNanos) {
        return waits.stream()
                .filter(wait -> wait.lastedNanos(nowNanos) > bound.toNanos())
                .map(wait -> new Violation(text(wait, nowNanos)))
                .toList();
    }

    /** Finds calls that have not come back: for when all clients say that they are done. */
    public static List<Violation> allAnswered(List<Wait> waits, long nowNanos) {
        return waits.stream()
                .filter(wait -> wait.answeredNanos() == Wait.NOT_ANSWERED)
                .map(wait -> new Violation(text(wait, nowNanos) + " and has no answer"))
                .toList();
    }

    /** Returns how long the longest call took, or has taken by now. */
    public static Duration longest(List<Wait> waits, long nowNanos) {
        return Duration.ofNanos(
                waits.stream().mapToLong(wait -> wait.lastedNanos(nowNanos)).max().orElse(0));
    }

    private static String text(Wait wait, long nowNanos) {
        return "%s waited %d ms for %s"
                .formatted(wait.client(), wait.lastedNanos(nowNanos) / 1_000_000, wait.name());
    }
}
