package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;

import java.io.IOException;
import java.util.regex.Pattern;

/** Locks that are held, and what snapshots and starts of nodes take with them. */
record LocksScenario(int locks) implements Scenario {
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final int FIRST_OF = 10;
    private static final double HEAP_BYTES_WANTED = 400;
    private static final double RESTART_SECONDS_WANTED = 20;
    private static final double PAUSE_MILLIS_WANTED = 50;

    /** Seldom enough that most snapshots of one node are apart from those of the others. */
    private static final String SNAPSHOTS_OFTEN = "snapshot:\n  interval: 15s\n  margin: 0\n";

    private static final Pattern LOADED = Pattern.compile("Snapshot loaded at entry");

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        Report.Part part = report.part(name(), locks);
        try (HeldLocks held = new HeldLocks(nodes)) {
            fill(part, nodes, held);
            restartAll(part, nodes);
            pause(part, nodes);
            snapshots(part, nodes);
            part.addBounded("lost", (double) held.lost(), "", 0);
        }
    }

    private void fill(Report.Part part, Nodes nodes, HeldLocks held)
            throws IOException, InterruptedException {
        int follower = nodes.aFollower();
        // The first ones bring what a node has once, however many follow.
        int first = locks / FIRST_OF;
        held.growTo(first);
        long before = nodes.meter(follower).heapBytes();
        long start = System.nanoTime();
        held.growTo(locks);
        double others = locks - first;
        part.add("acquired a second", others / Seconds.since(start), "");
        part.addBounded(
                "heap for each at a follower",
                (nodes.meter(follower).heapBytes() - before) / others,
                "bytes",
                HEAP_BYTES_WANTED);
        part.add(
                "disk of a follower before a snapshot",
                nodes.disk(follower).bytes() / BYTES_PER_MIB,
                "MiB");
    }

    /** From here on there are snapshots all the time. The leader comes last. */
    private static void restartAll(Report.Part part, Nodes nodes)
            throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        for (int i = 1; i <= nodes.count(); i++) {
            int node = (leader + i) % nodes.count();
            String from = nodes.disk(node).snapshotBytes() == 0 ? "its log alone" : "a snapshot";
            nodes.configure(node, SNAPSHOTS_OFTEN);
            nodes.stop(node);
            double seconds = nodes.start(node);
            if (i == 1) {
                part.addBounded(
                        "restart of a follower from " + from, seconds, "s", RESTART_SECONDS_WANTED);
            }
        }
    }

    private static void pause(Report.Part part, Nodes nodes)
            throws IOException, InterruptedException {
        SnapshotWatch watch = new SnapshotWatch(nodes);
        SnapshotWatch.Seen seen = watch.run();
        part.add("snapshots of the leader that were watched", seen.snapshots().size(), "");
        part.add("time to take and write one (median)", seen.medianSnapshotMillis(), "ms");
        part.add(
                "one caller's time between answers (median)",
                seen.gaps().medianNanos() / 1e6,
                "ms");
        part.addBounded(
                "one caller's longest time between answers while the leader takes a snapshot",
                seen.gaps().longestNanos(seen.snapshots()) / 1e6,
                "ms",
                PAUSE_MILLIS_WANTED);
        part.add(
                "one caller's longest time between answers at other times",
                seen.gaps().longestNanosOutside(seen.snapshots()) / 1e6,
                "ms");
        part.add(
                "longest pause of the leader's collector meanwhile",
                seen.longestCollectionMillis(),
                "ms");
    }

    private static void snapshots(Report.Part part, Nodes nodes)
            throws IOException, InterruptedException {
        int follower = nodes.aFollower();
        part.add("snapshot on disk", nodes.disk(follower).snapshotBytes() / BYTES_PER_MIB, "MiB");
        nodes.stop(follower);
        part.addBounded(
                "restart of a follower from a snapshot",
                nodes.start(follower),
                "s",
                RESTART_SECONDS_WANTED);
        long loads = loads(nodes, follower);
        nodes.stop(follower);
        nodes.disk(follower).empty();
        double seconds = nodes.start(follower);
        if (loads(nodes, follower) == loads) {
            throw new LoadFailure("a node with an empty disk got no snapshot from the leader");
        }
        part.add("start of a follower with an empty disk by the leader's snapshot", seconds, "s");
    }

    private static long loads(Nodes nodes, int node) throws IOException {
        return LOADED.matcher(nodes.log(node)).results().count();
    }
}
