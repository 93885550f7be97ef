package io.raftlock.bench.scale;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One lock for which many wait: what a hand-off takes with a short queue, and with long ones. */
record WaitersScenario(int longest) implements Scenario {
    private static final int SHORTEST = 10;

    /** What the machine does meanwhile falls on all lengths alike. */
    private static final int ROUNDS = 4;

    private static final int HEAT = 2_000;
    private static final int WARM_UP = 100;
    private static final int HAND_OFFS = 500;
    private static final double TIMES_WANTED = 1.3;
    private static final int DIGITS = 3;

    @Override
    public String name() {
        return "waiters";
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        Histogram unused = handOffs(nodes, SHORTEST, HEAT);
        SortedMap<Integer, Histogram> all = new TreeMap<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int length : List.of(SHORTEST, Math.max(SHORTEST, longest / 10), longest)) {
                all.computeIfAbsent(length, same -> new Histogram(DIGITS))
                        .add(handOffs(nodes, length, HAND_OFFS));
                System.out.printf("  ... round %d of %d: %d waiters%n", round + 1, ROUNDS, length);
            }
        }
        double shortest = (double) all.values().iterator().next().getValueAtPercentile(50);
        all.forEach((length, times) -> tell(report, length, times, shortest));
    }

    private static Histogram handOffs(Nodes nodes, int waiters, int times)
            throws InterruptedException {
        nodes.awaitWaiters(0);
        try (WaitQueue queue = new WaitQueue(nodes, "wanted")) {
            queue.growTo(waiters);
            Histogram unused = queue.handOff(WARM_UP);
            return queue.handOff(times);
        }
    }

    private void tell(Report report, int length, Histogram nanos, double shortestNanos) {
        Report.Part part = report.part(name(), length);
        double median = (double) nanos.getValueAtPercentile(50);
        part.add("hand-offs", (double) nanos.getTotalCount(), "");
        part.add("from release to the next owner (median)", median / 1e6, "ms");
        part.add(
                "from release to the next owner (99 %)",
                nanos.getValueAtPercentile(99) / 1e6, "ms");
        if (length > SHORTEST) {
            part.addBounded(
                    "median compared to that with %d waiters".formatted(SHORTEST),
                    median / shortestNanos,
                    "x",
                    TIMES_WANTED);
        }
    }
}
