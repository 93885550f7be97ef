package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.CheckSettings;
import io.raftlock.chaos.checker.Evidence;
import io.raftlock.chaos.checker.FencedStoreCheck;
import io.raftlock.chaos.checker.InternalCheck;
import io.raftlock.chaos.checker.Judgement;
import io.raftlock.chaos.fault.FaultTimeline;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.ledger.JournalFile;
import io.raftlock.chaos.ledger.Ledger;
import io.raftlock.chaos.schedule.Bounds;
import io.raftlock.chaos.schedule.FaultKind;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what a run has left in its folder, and has it checked. */
final class Judge {
    /** Latency of a machine at ease: what is beyond it makes the bounds in time longer. */
    private static final double EASY_P99_MILLIS = 60;

    private static final double MOST_SLOWNESS = 4;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(90);

    private Judge() {}

    static boolean isComplaint(Event.Noted noted) {
        return Set.of(InternalCheck.INTERNAL, "unexpected", FaultTimeline.TOOL_FAILED, "read")
                .contains(noted.kind());
    }

    /** Runs all checks on what is in the folder. */
    static Outcome judge(RunOptions options) throws IOException {
        RunHistory history = history(options);
        Ledger ledger = Ledger.of(journals(options.folder()), history.digestIndexes());
        double slowness = slowness(history);
        CheckSettings settings =
                CheckSettings.DEFAULT
                        .withClockKinds(
                                names(FaultKind.CLOCK_RATE, FaultKind.CLOCK_JUMP),
                                names(FaultKind.CLOCK_RATE, FaultKind.CLOCK_JUMP))
                        .withKinds(Set.of(), leaderChangers())
                        .withBounds(
                                CheckSettings.DEFAULT.times().gap(),
                                Bounds.of(options.schedule(), slowness),
                                LONGEST_ANSWER);
        Evidence evidence = new Evidence(history, ledger, settings);
        return new Outcome(Judgement.of(evidence), history, ledger, slowness);
    }

    /**
     * What a run came to.
     *
     * @param slowness by which the bounds in time were multiplied
     */
    record Outcome(Judgement judgement, RunHistory history, Ledger ledger, double slowness) {
        long lostUpdates() {
            return FencedStoreCheck.lostUpdates(history);
        }
    }

    private static RunHistory history(RunOptions options) throws IOException {
        RunHistory recorded = RunHistory.read(options.folder().resolve(ChaosRun.HISTORY));
        NodeComplaints complaints =
                new NodeComplaints(recorded, NodeComplaints.clockDifferenceNanos());
        List<Event> found = new ArrayList<>();
        for (String node : Troupe.nodeNames(options.schedule())) {
            found.addAll(complaints.of(node, options.folder().resolve(node).resolve("node.log")));
        }
        return recorded.with(found);
    }

    private static List<JournalFile> journals(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("journals"))) {
            return files.filter(file -> file.toString().endsWith(".journal"))
                    .sorted()
                    .map(JournalFile::new)
                    .toList();
        }
    }

    private static Set<String> names(FaultKind... kinds) {
        return Set.copyOf(Stream.of(kinds).map(FaultKind::name).toList());
    }

    /** What certainly ends a leadership, if it is done to the leader. */
    private static Set<String> leaderChangers() {
        return names(FaultKind.KILL, FaultKind.STOP, FaultKind.POWER_CUT);
    }

    /** Compares the quiet beginning with that of a machine that has nothing else to do. */
    private static double slowness(RunHistory history) {
        long from = history.beganNanos(Event.Phase.BASELINE).orElse(0);
        long to = history.beganNanos(Event.Phase.FAULTS).orElse(0);
        long[] nanos =
                history.operations().stream()
                        .filter(call -> call.action() == Event.Action.RELEASE && call.isOk())
                        .filter(call -> call.invokedNanos() >= from && call.returnedNanos() < to)
                        .mapToLong(call -> call.returnedNanos() - call.invokedNanos())
                        .sorted()
                        .toArray();
        if (nanos.length == 0) {
            return MOST_SLOWNESS;
        }
        double p99Millis = nanos[(int) (nanos.length * 0.99)] / 1e6;
        return Math.max(1, Math.min(MOST_SLOWNESS, p99Millis / EASY_P99_MILLIS));
    }
}
