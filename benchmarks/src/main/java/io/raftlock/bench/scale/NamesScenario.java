package io.raftlock.bench.scale;

import io.raftlock.client.LockGrant;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Names that are locked and unlocked once each: nothing is to be left of them. */
record NamesScenario(int names) implements Scenario {
    private static final Duration BOUND = Duration.ofMinutes(30);
    private static final long SETTLE_SECONDS = 20;
    private static final double BYTES_PER_MIB = 1 << 20;

    @Override
    public String name() {
        return "names";
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        Report.Part part = report.part(name(), names);
        int follower = nodes.aFollower();
        try (Clients clients = new Clients(nodes)) {
            footprint(part, nodes, follower, "before");
            long start = System.nanoTime();
            ManyLocks.each(
                    0, names, i -> clients.of(i).lock("once/" + i), LockGrant::releaseAsync, BOUND);
            part.add("cycles a second", names / Seconds.since(start), "");
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            footprint(part, nodes, follower, "after");
        }
    }

    private static void footprint(Report.Part part, Nodes nodes, int node, String when)
            throws IOException, InterruptedException {
        part.add(
                "heap of a follower " + when, nodes.meter(node).heapBytes() / BYTES_PER_MIB, "MiB");
        part.add("disk of a follower " + when, nodes.disk(node).bytes() / BYTES_PER_MIB, "MiB");
    }
}
