package io.raftlock.bench.scale;

import java.io.IOException;
import java.time.Duration;

/**
 * What one cycle of acquire and release costs beside more and more that it has nothing to do with.
 *
 * @param most of it; measured too with none, a hundredth and a tenth
 */
record GrowthScenario(Kind kind, int most) implements Scenario {
    private static final Duration TTL = Duration.ofSeconds(30);
    private static final int STEP = 10;

    /** What there is more and more of. */
    enum Kind {
        LOCKS,
        SESSIONS,
        WAITERS;

        private Ballast on(Nodes nodes) throws InterruptedException {
            return switch (this) {
                case LOCKS -> new HeldLocks(nodes);
                case SESSIONS -> new IdleSessions(nodes.address(nodes.awaitLeader()), TTL);
                case WAITERS -> new WaitQueue(nodes, "other");
            };
        }

        private String label() {
            return switch (this) {
                case LOCKS -> "locks";
                case SESSIONS -> "sessions";
                case WAITERS -> "waiters";
            };
        }
    }

    @Override
    public String name() {
        return "growth-" + kind.label();
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        try (Cycles cycles = new Cycles(nodes);
                Ballast ballast = kind.on(nodes)) {
            cycles.heat();
            nodes.collectHeaps();
            Cycles.Cost empty = cycles.measure();
            tell(report.part(name(), 0), empty);
            int largest = Math.max(most, STEP * STEP);
            for (int size = largest / STEP / STEP; size <= largest; size *= STEP) {
                ballast.growTo(size);
                nodes.collectHeaps();
                Cycles.Cost cost = cycles.measure();
                Report.Part part = report.part(name(), size);
                tell(part, cost);
                part.add("compared to none", cost.medianMillis() / empty.medianMillis(), "x");
                part.add("rate compared to none", cost.perSecond() / empty.perSecond(), "x");
            }
        }
    }

    private static void tell(Report.Part part, Cycles.Cost cost) {
        part.add("acquire and release by one caller (median)", cost.medianMillis(), "ms");
        part.add("cycles a second with 64 under way", cost.perSecond(), "");
    }
}
