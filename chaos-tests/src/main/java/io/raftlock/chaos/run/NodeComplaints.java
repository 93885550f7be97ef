package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.LogScan;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.FaultInterval;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.schedule.FaultKind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What nodes complained of in their logs without a reason. That the disk fails is a reason while it
 * does.
 */
final class NodeComplaints {
    /** A node that was broken may say so a little later. */
    private static final long LATER_NANOS = 5_000_000_000L;

    private static final Pattern TIME =
            Pattern.compile("^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) ");

    /** What the engine complains of and then makes good, in any cluster. */
    private static final List<Pattern> OF_THE_ENGINE =
            List.of(
                    // A member that is not there when another one becomes the leader.
                    Pattern.compile("NodeImpl - Fail to add a replicator"),
                    // A leader that steps down before the first entry of its term has committed.
                    Pattern.compile(
                            "Fail to run ConfigurationChangeDone.*EPERM<1008>: Leader stepped down"),
                    // A snapshot that is being sent when its sender has a newer one, or goes away.
                    Pattern.compile("CopySession - Fail to copy data"),
                    Pattern.compile("RemoteFileCopier - Fail to init channel"),
                    // The same while its list of files is asked for: nothing of that has come.
                    Pattern.compile("LocalSnapshotMetaTable - Null buf to load"),
                    // A snapshot that is being received when another leader is there: the engine
                    // interrupts the thread that stores it. Any other exception is a failure.
                    Pattern.compile(
                            "LocalSnapshotCopier - Fail to start copy job"
                                    + "\n\\S+\\.ClosedByInterruptException\\b"));

    private final RunHistory history;
    private final long wallMinusMonotonicNanos;

    /**
     * @param wallMinusMonotonicNanos of this machine, to tell the time of lines by that of events
     */
    NodeComplaints(RunHistory history, long wallMinusMonotonicNanos) {
        this.history = history;
        this.wallMinusMonotonicNanos = wallMinusMonotonicNanos;
    }

    /** Returns the difference between the two clocks of this machine, as of now. */
    static long clockDifferenceNanos() {
        return nanos(Instant.now()) - System.nanoTime();
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }

    /** Returns what stands in a node's log, with its time. */
    List<Event> of(String node, Path log) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        List<FaultInterval> disk =
                history.faults().stream()
                        .filter(fault -> FaultKind.valueOf(fault.kind()).isOfDisks())
                        .filter(fault -> fault.targets().contains(node))
                        .toList();
        List<Event> found = new ArrayList<>();
        LogScan scan = LogScan.DEFAULT.allowing(OF_THE_ENGINE);
        for (Event.Noted line : scan.scan(log, node, history.endNanos())) {
            long at = timeOf(line.text());
            if (disk.stream().noneMatch(fault -> fault.touches(at - LATER_NANOS, at))) {
                found.add(new Event.Noted(at, line.kind(), node, line.text()));
            }
        }
        return found;
    }

    /** Returns the time that the line says, or the end of the run if it says none. */
    private long timeOf(String line) {
        Matcher time = TIME.matcher(line);
        return time.find()
                ? nanos(Instant.parse(time.group(1))) - wallMinusMonotonicNanos
                : history.endNanos();
    }
}
