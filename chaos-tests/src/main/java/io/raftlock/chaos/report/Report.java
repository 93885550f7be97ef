package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.schedule.Schedule;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Leaves what a person reads after a run in the run's folder. */
public final class Report {
    public static final String RESULTS = "results.json";
    public static final String SUMMARY = "summary.txt";
    public static final String LATENCY = "latency.png";
    public static final String RATE = "rate.png";
    public static final String TIMELINE = "timeline.html";

    private static final int OK_HEIGHT = 240;
    private static final int OTHER_HEIGHT = 120;

    private final Path folder;
    private final Run run;
    private final Findings findings;
    private final List<Path> files = new ArrayList<>();
    private final List<Skipped> missing = new ArrayList<>();

    private Report(Path folder, Run run, Findings findings) {
        this.folder = folder;
        this.run = run;
        this.findings = findings;
    }

    /**
     * Writes all files; what matters most comes first, and each is there whole or not at all.
     *
     * @param folder which is made if it is not there
     * @param events all of the run; each call's question before its answer
     * @param command that repeats the run
     * @return the summary, for the terminal
     * @throws IOException if a file cannot be written; those before it stay
     * @throws IllegalArgumentException if an event names a kind of fault that there is not
     */
    public static String write(
            Path folder, Schedule schedule, List<Event> events, Findings findings, String command)
            throws IOException {
        Files.createDirectories(folder);
        Report report = new Report(folder, Run.of(events), findings);
        Results results = Results.of(report.run, schedule, findings, command);
        report.file(RESULTS, results::write);
        report.file(TIMELINE, out -> Timeline.write(out, report.run, findings, events));
        report.pictures();
        Path summary = folder.resolve(SUMMARY);
        report.files.add(summary);
        String text = Summary.of(results, report.run.span(), report.files, report.missing);
        WholeFile.write(summary, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        return text;
    }

    private void file(String name, WholeFile.Content content) throws IOException {
        Path file = folder.resolve(name);
        WholeFile.write(file, content);
        files.add(file);
    }

    private void pictures() throws IOException {
        Optional<String> obstacle = Canvas.obstacle();
        if (obstacle.isPresent()) {
            missing.add(new Skipped(LATENCY, obstacle.get()));
            missing.add(new Skipped(RATE, obstacle.get()));
            return;
        }
        picture(LATENCY, "Time to acquire", List.of(new LatencyPanel(run)));
        picture(
                RATE,
                "Calls a second",
                List.of(
                        new RatePanel(run, Result.OK, OK_HEIGHT),
                        new RatePanel(run, Result.FAIL, OTHER_HEIGHT),
                        new RatePanel(run, Result.INFO, OTHER_HEIGHT)));
    }

    private void picture(String name, String what, List<Panel> panels) throws IOException {
        String title = "%s: %s".formatted(what, findings.verdict());
        List<Long> moments =
                findings.all().stream().map(Finding::atNanos).filter(at -> at != 0).toList();
        Canvas canvas = Picture.draw(title, run, moments, panels);
        file(name, canvas::write);
    }
}
