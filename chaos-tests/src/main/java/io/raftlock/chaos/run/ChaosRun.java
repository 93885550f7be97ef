package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.Judgement;
import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.checker.Violation;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.EventLog;
import io.raftlock.chaos.history.RunHistory;
import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.node.NodeProgram;
import io.raftlock.chaos.report.CheckLine;
import io.raftlock.chaos.report.Finding;
import io.raftlock.chaos.report.Findings;
import io.raftlock.chaos.report.Progress;
import io.raftlock.chaos.report.Report;
import io.raftlock.chaos.report.Skipped;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;
import io.raftlock.chaos.store.FencedStore;
import io.raftlock.chaos.store.StoreDesk;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** One run, from an empty folder to its report. */
public final class ChaosRun {
    /** Names of files in the run's folder. */
    public static final String SCHEDULE = "schedule.json";

    static final String HISTORY = "history.jsonl";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Nodes with a bug may never be well again. */
    private static final Duration SABOTAGED_PATIENCE = Duration.ofSeconds(15);

    private final RunOptions options;
    private final Capabilities machine;
    private final PrintStream out;

    private ChaosRun(RunOptions options, Capabilities machine, PrintStream out) {
        Schedule possible =
                options.schedule().only(Stage.possible(options.layout(), machine).kinds());
        this.options = options.with(possible, options.folder());
        this.machine = machine;
        this.out = out;
    }

    /** Returns the folder for the folders of runs. */
    public static Path defaultFolder() {
        return Path.of(System.getProperty("raftlock.chaos.folder", "target/chaos"))
                .toAbsolutePath()
                .normalize();
    }

    /**
     * What a run showed.
     *
     * @param broken numbers of the invariants that did not hold
     * @param suspects the steps that had begun when that showed first
     * @param brief why, in the few lines that a reader needs first
     * @param summary all that a person reads of it
     */
    public record Result(
            Verdict verdict,
            Set<Integer> broken,
            List<Step> suspects,
            String brief,
            String summary) {
        public Result {
            suspects = List.copyOf(suspects);
        }
    }

    /**
     * Runs it.
     *
     * @param machine what can be done here
     * @param out for the progress
     * @throws IOException if files cannot be written or processes not be started
     */
    public static Result run(RunOptions options, Capabilities machine, PrintStream out)
            throws IOException {
        return new ChaosRun(options, machine, out).run();
    }

    /**
     * Has a run that was before judged again, by the checks as they are now.
     *
     * @param options with the folder that it left
     * @throws IOException if something of it is not there
     */
    public static Result judge(RunOptions options, Capabilities machine, PrintStream out)
            throws IOException {
        ChaosRun run = new ChaosRun(options, machine, out);
        return run.report(Judge.judge(run.options));
    }

    private Result run() throws IOException {
        Files.createDirectories(options.folder());
        options.schedule().write(options.folder().resolve(SCHEDULE));
        try (EventLog log = new EventLog(options.folder().resolve(HISTORY))) {
            Recorder recorder = new Recorder(log);
            act(recorder);
        }
        return report(Judge.judge(options));
    }

    private void act(Recorder recorder) throws IOException {
        try (Stage stage =
                        Stage.build(
                                options.layout(),
                                machine,
                                options.folder(),
                                Troupe.nodeNames(options.schedule()),
                                Troupe.clientNames(options.schedule()));
                StoreDesk store =
                        new StoreDesk(
                                new FencedStore(options.guarded(), System::nanoTime, recorder));
                Troupe troupe =
                        new Troupe(
                                options.folder(),
                                stage,
                                options.schedule(),
                                program(),
                                store,
                                recorder)) {
            Watchdog watchdog =
                    new Watchdog(troupe.nodes(), troupe.watcher(), options.folder(), recorder);
            Progress progress = new Progress(out, Driver.expected(options.schedule()));
            Driver driver =
                    new Driver(
                            troupe,
                            options.schedule(),
                            recorder,
                            watchdog,
                            progress,
                            options.sabotage().isEmpty() ? PATIENCE : SABOTAGED_PATIENCE);
            Pulse pulse = Pulse.start(options.folder(), recorder);
            try {
                driver.run();
            } finally {
                pulse.stop();
            }
        }
    }

    private NodeProgram program() throws IOException {
        if (options.sabotage().isEmpty()) {
            return NodeProgram.built();
        }
        Path classes = options.folder().resolve("sabotage");
        Sabotage.compile(options.sabotage(), classes);
        return NodeProgram.built().patchedBy(classes);
    }

    private Result report(Judge.Outcome outcome) throws IOException {
        Judgement judgement = outcome.judgement();
        Findings findings =
                new Findings(
                        judgement.verdict().name(),
                        judgement.results().stream().map(ChaosRun::line).toList(),
                        judgement.validity().reasons(),
                        Stage.possible(options.layout(), machine).missing().entrySet().stream()
                                .map(each -> new Skipped(each.getKey().name(), each.getValue()))
                                .toList(),
                        facts(outcome));
        String summary =
                Report.write(
                        options.folder(),
                        options.schedule(),
                        outcome.history().events(),
                        findings,
                        "scripts/chaos " + options.arguments());
        Set<Integer> broken = new TreeSet<>();
        judgement.violations().forEach(each -> broken.add(each.invariant()));
        List<Step> suspects = begun(outcome.history(), firstNanos(judgement));
        String brief = Brief.of(judgement, broken, outcome.history().stalls(), options.folder());
        return new Result(judgement.verdict(), broken, suspects, brief, summary);
    }

    private static long firstNanos(Judgement judgement) {
        return judgement.violations().stream()
                .filter(Violation::hasTime)
                .mapToLong(Violation::atNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private List<Step> begun(RunHistory history, long untilNanos) {
        return history.all(Event.FaultBegan.class)
                .filter(began -> began.atNanos() <= untilNanos)
                .map(began -> options.schedule().steps().get(began.step()))
                .toList();
    }

    private static CheckLine line(Judgement.Result result) {
        return new CheckLine(
                result.check().invariant(),
                result.check().title(),
                result.check().description(),
                result.checked().lookedAt(),
                result.checked().violations().stream().map(ChaosRun::finding).toList());
    }

    private static Finding finding(Violation violation) {
        return new Finding(
                violation.what(), violation.hasTime() ? violation.atNanos() : 0, violation.calls());
    }

    private Map<String, String> facts(Judge.Outcome outcome) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("layout", options.layout().name());
        facts.put("nodes", Integer.toString(options.schedule().nodes()));
        facts.put("clients", String.join(", ", options.schedule().clients()));
        facts.put("seed", Long.toString(options.schedule().seed()));
        facts.put("sabotage", options.sabotage().isEmpty() ? "none" : options.sabotage());
        facts.put("store", options.guarded() ? "looks at tokens" : "takes any token");
        facts.put("updates lost by the store", Long.toString(outcome.lostUpdates()));
        facts.put("log entries", Long.toString(outcome.ledger().entries()));
        facts.put(Findings.SLOWNESS, "%.2f".formatted(outcome.slowness()));
        facts.put("machine stood still", outcome.history().stalls().toString());
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("java", System.getProperty("java.version"));
        facts.put("kernel", System.getProperty("os.version"));
        return facts;
    }
}
