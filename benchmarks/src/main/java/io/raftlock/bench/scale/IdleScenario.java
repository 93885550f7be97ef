package io.raftlock.bench.scale;

import java.io.IOException;

/** Nodes without a client. */
record IdleScenario() implements Scenario {
    private static final double CORES_WANTED = 0.02;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public void run(Nodes nodes, Report report) throws IOException, InterruptedException {
        Report.Part part = report.part(name(), 0);
        int leader = nodes.awaitLeader();
        double[] cores = nodes.cores();
        for (int node = 0; node < cores.length; node++) {
            String what = node == leader ? "leader" : "follower";
            part.addBounded(
                    "processors of node %d (%s)".formatted(node + 1, what),
                    cores[node],
                    "cores",
                    CORES_WANTED);
        }
    }
}
