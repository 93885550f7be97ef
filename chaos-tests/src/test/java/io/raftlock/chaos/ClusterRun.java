package io.raftlock.chaos;

import io.raftlock.chaos.cluster.ProcessCluster;

import java.nio.file.Path;
import java.util.List;

/** Runs the body of a test on a cluster, and shows the nodes' logs if it fails. */
final class ClusterRun {
    private static final int NODES = 3;

    private ClusterRun() {}

    /** The body of a test. */
    interface Body {
        void run(ProcessCluster cluster) throws Exception;
    }

    static void onThreeNodes(String folder, List<String> yaml, Body body) throws Exception {
        Path root = Path.of(System.getProperty("raftlock.chaos.folder", "target/chaos"));
        try (ProcessCluster cluster = ProcessCluster.layOut(root.resolve(folder), NODES, yaml)) {
            try {
                cluster.start();
                body.run(cluster);
            } catch (Throwable failure) {
                System.out.println(cluster.logTails());
                throw failure;
            }
        }
    }
}
