package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.load.Median;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Looks from outside for what a snapshot stops: when the leader writes one, which its disk shows,
 * and when one caller, who asks again as soon as it is answered, gets its answers.
 */
final class SnapshotWatch {
    private static final int SNAPSHOTS = 6;

    /** The nodes were started just before. */
    private static final long WARM_UP_SECONDS = 20;

    private static final long POLL_MILLIS = 1;
    private static final Duration BOUND = Duration.ofMinutes(5);

    private final Nodes nodes;

    /**
     * What was seen.
     *
     * @param snapshots when the leader took and wrote one
     */
    record Seen(List<Span> snapshots, Gaps gaps, double longestCollectionMillis) {

        double medianSnapshotMillis() {
            return Median.of(snapshots.stream().mapToDouble(Span::nanos).sorted().toArray()) / 1e6;
        }
    }

    /**
     * @param nodes that are configured to take snapshots often
     */
    SnapshotWatch(Nodes nodes) {
        this.nodes = nodes;
    }

    Seen run() throws IOException, InterruptedException {
        int leader = nodes.awaitLeader();
        try (AnswerLog answers = new AnswerLog(nodes)) {
            TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
            int logged = nodes.log(leader).length();
            answers.forget();
            List<Span> snapshots = snapshots(nodes.disk(leader));
            // A caller that waits for an answer at the end gets it first.
            Gaps gaps = new Gaps(answers.end());
            if (nodes.awaitLeader() != leader) {
                throw new LoadFailure("another node leads after the snapshots than before");
            }
            String log = nodes.log(leader).substring(logged);
            return new Seen(snapshots, gaps, CollectorLog.longestPauseMillis(log));
        }
    }

    private static List<Span> snapshots(NodeDisk disk) throws InterruptedException {
        long end = System.nanoTime() + BOUND.toNanos();
        List<Span> seen = new ArrayList<>();
        Progress progress = new Progress("snapshots of the leader", SNAPSHOTS);
        await(disk, false, end);
        while (seen.size() < SNAPSHOTS) {
            // It began after the last look that did not see it.
            long from = await(disk, true, end) - TimeUnit.MILLISECONDS.toNanos(POLL_MILLIS);
            seen.add(new Span(from, await(disk, false, end)));
            progress.at(seen.size());
        }
        return seen;
    }

    private static long await(NodeDisk disk, boolean unfinished, long endNanos)
            throws InterruptedException {
        while (disk.isSnapshotUnfinished() != unfinished) {
            if (System.nanoTime() - endNanos > 0) {
                throw new LoadFailure("the leader takes too few snapshots");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return System.nanoTime();
    }
}
