package io.raftlock.bench.scale;

import java.io.IOException;

/** One thing that a cluster is filled with, on nodes of its own, and what is measured then. */
interface Scenario {

    /** Returns its name, which is that of its folder too. */
    String name();

    /**
     * Fills the nodes, measures, and reports figures as they come.
     *
     * @throws io.raftlock.bench.load.LoadFailure if it cannot be done to its end
     */
    void run(Nodes nodes, Report report) throws IOException, InterruptedException;
}
