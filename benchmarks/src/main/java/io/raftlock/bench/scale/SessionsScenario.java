package io.raftlock.bench.scale;

import java.io.IOException;
import java.time.Duration;

/** Sessions that do nothing but live. */
record SessionsScenario(int sessions) implements Scenario {
    private static final Duration TTL = Duration.ofSeconds(30);

    /** How many the promise for processors is about. */
    private static final int MANY = 100_000;

    private static final int FIRST_OF = 10;
    private static final double CORES_WANTED = 0.5;
    private static final double BYTES_WANTED = 1_024;

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        Report.Part part = report.part(name(), sessions);
        int leader = nodes.awaitLeader();
        int follower = nodes.aFollower();
        double idle = nodes.cores()[leader];
        try (IdleSessions held = new IdleSessions(nodes.address(leader), TTL)) {
            // The first ones bring what a node has once, however many follow.
            int first = sessions / FIRST_OF;
            held.growTo(first);
            long leaderBefore = nodes.meter(leader).heapBytes();
            long followerBefore = nodes.meter(follower).heapBytes();
            long start = System.nanoTime();
            held.growTo(sessions);
            double others = sessions - first;
            part.add("opened a second", others / Seconds.since(start), "");
            double busy = nodes.cores()[leader] - idle;
            part.add("processors of the leader without sessions", idle, "cores");
            part.add("processors of the leader due to keep-alives", busy, "cores");
            part.add("keep-alives a second", held.keepAlivesPerSecond(sessions), "");
            part.addBounded(
                    "heap for each at a follower (the session itself)",
                    (nodes.meter(follower).heapBytes() - followerBefore) / others,
                    "bytes",
                    BYTES_WANTED);
            part.add(
                    "heap for each at the leader (with its connection)",
                    (nodes.meter(leader).heapBytes() - leaderBefore) / others,
                    "bytes");
            held.keepAliveAs(MANY);
            part.addBounded(
                    "processors of the leader due to the keep-alives of %d sessions of %d s"
                            .formatted(MANY, TTL.toSeconds()),
                    nodes.cores()[leader] - idle,
                    "cores",
                    CORES_WANTED);
            part.addBounded("lost", held.lost(), "", 0);
        }
    }
}
