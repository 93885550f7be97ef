package io.raftlock.chaos.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is fixed about a node of a run.
 *
 * @param folder of its configuration and its output; absolute
 * @param dataDir in which it keeps its state, which may be on a disk of its own; absolute
 * @param journals folder for what each of its lives applies; absolute
 * @param snapshotInterval in whole seconds
 * @param snapshotMargin entries that must have been applied since the last snapshot
 */
public record NodeSettings(
        Path folder, Path dataDir, Path journals, Duration snapshotInterval, int snapshotMargin) {

    /** Returns settings of a node whose data are in its folder, with snapshots as by default. */
    public static NodeSettings in(Path folder, Path journals) {
        return new NodeSettings(
                folder, folder.resolve("data"), journals, Duration.ofMinutes(5), 1_000);
    }

    /** Returns the configuration file. */
    public Path configFile() {
        return folder.resolve("node.yaml");
    }

    /** Returns the file that the output goes to, over all lives. */
    public Path logFile() {
        return folder.resolve("node.log");
    }

    /**
     * Returns the file for what one life applies.
     *
     * @param life from 1
     */
    public Path journal(String node, int life) {
        return journals.resolve("%s-%d.journal".formatted(node, life));
    }

    List<String> yaml() {
        return List.of(
                "snapshot:",
                "  interval: %ds".formatted(snapshotInterval.toSeconds()),
                "  margin: %d".formatted(snapshotMargin));
    }
}
