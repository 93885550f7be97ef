package io.raftlock.chaos.report;

import io.raftlock.chaos.schedule.Schedule;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The page of text that a run ends with. */
final class Summary {
    private static final int MOST_FINDINGS_OF_A_CHECK = 20;
    private static final int MOST_CALLS_OF_A_FINDING = 12;

    private final Results results;
    private final Span run;
    private final TextLines lines = new TextLines();

    private Summary(Results results, Span run) {
        this.results = results;
        this.run = run;
    }

    /**
     * Returns the text, the verdict on its first line.
     *
     * @param files that the run has left
     * @param missing what could not be made, and why
     */
    static String of(Results results, Span run, List<Path> files, List<Skipped> missing) {
        Summary summary = new Summary(results, run);
        summary.verdict();
        summary.findings();
        summary.faults();
        summary.skips();
        summary.operations();
        summary.facts();
        summary.files(files, missing);
        return summary.lines.toString();
    }

    private void verdict() {
        Findings findings = results.findings();
        long failed = findings.checks().stream().filter(c -> !c.findings().isEmpty()).count();
        lines.paragraph(
                findings.verdict() + ": ",
                failed == 0
                        ? "%d checks found nothing".formatted(findings.checks().size())
                        : "%d of %d checks found something"
                                .formatted(failed, findings.checks().size()));
        Schedule schedule = results.schedule();
        lines.paragraph(
                "",
                "%s s, %d nodes, clients %s, %d faults, seed %d"
                        .formatted(
                                Texts.number(results.seconds(), 1),
                                schedule.nodes(),
                                String.join(" ", schedule.clients()),
                                results.faults().stream().mapToInt(FaultLine::times).sum(),
                                schedule.seed()));
        if (!findings.invalidBecause().isEmpty()) {
            lines.heading("The run says nothing because");
            findings.invalidBecause().forEach(why -> lines.paragraph("  - ", why));
        }
    }

    private void findings() {
        for (CheckLine check : results.findings().checks()) {
            if (!check.findings().isEmpty()) {
                lines.whole("");
                lines.paragraph(
                        "Invariant %d, ".formatted(check.invariant()),
                        "%s: %s".formatted(check.name(), check.description()));
                check.findings().stream().limit(MOST_FINDINGS_OF_A_CHECK).forEach(this::finding);
                more(check.findings().size(), MOST_FINDINGS_OF_A_CHECK, "findings");
            }
        }
        checks();
    }

    private void finding(Finding finding) {
        String at = finding.atNanos() == 0 ? "" : Texts.moment(run, finding.atNanos());
        lines.paragraph("  %10s  ".formatted(at), finding.text() + calls(finding.calls()));
    }

    private static String calls(List<Long> calls) {
        if (calls.isEmpty()) {
            return "";
        }
        List<String> named =
                calls.stream().limit(MOST_CALLS_OF_A_FINDING).map(String::valueOf).toList();
        String rest = calls.size() > named.size() ? " and " + (calls.size() - named.size()) : "";
        return " (calls " + String.join(", ", named) + rest + ")";
    }

    private void more(int all, int shown, String what) {
        if (all > shown) {
            lines.paragraph("  ", "and %d %s more in results.json".formatted(all - shown, what));
        }
    }

    private void checks() {
        lines.heading("Checks");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("check", "invariant", "looked at", "findings"));
        for (CheckLine check : results.findings().checks()) {
            rows.add(
                    List.of(
                            check.name(),
                            "" + check.invariant(),
                            Texts.count(check.lookedAt()),
                            Texts.count(check.findings().size())));
        }
        lines.table(rows);
    }

    private void faults() {
        lines.heading("Faults");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("kind", "times", "proved", "longest gap", "bound", "p50", "p99"));
        for (FaultLine fault : results.faults()) {
            rows.add(
                    List.of(
                            fault.kind(),
                            "" + fault.times(),
                            "" + fault.proved(),
                            seconds(fault.longestGapSeconds(), 1),
                            Texts.seconds(fault.boundSeconds()),
                            seconds(fault.p50Millis(), 1e3),
                            seconds(fault.p99Millis(), 1e3)));
        }
        lines.table(rows);
        LongestGap longest = results.longestGap();
        if (longest != null) {
            lines.paragraph(
                    "  ",
                    "Longest time without a lock acquired: %s, from %s."
                            .formatted(
                                    Texts.seconds(longest.seconds()),
                                    Texts.moment(longest.fromSeconds())));
        }
    }

    private static String seconds(@Nullable Double value, double perSecond) {
        return value == null ? "-" : Texts.seconds(value / perSecond);
    }

    private void skips() {
        if (!results.findings().skipped().isEmpty()) {
            lines.heading("Skipped");
            results.findings()
                    .skipped()
                    .forEach(skip -> lines.paragraph("  " + skip.what() + ": ", skip.why()));
        }
    }

    private void operations() {
        lines.heading("Calls");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("action", "ok", "fail", "info", "open"));
        for (OperationCount count : results.operations()) {
            rows.add(
                    List.of(
                            count.action(),
                            Texts.count(count.ok()),
                            Texts.count(count.fail()),
                            Texts.count(count.info()),
                            Texts.count(count.open())));
        }
        lines.table(rows);
        lines.heading("Calls a second");
        rows.clear();
        rows.add(List.of("phase", "lasted", "ok", "fail", "info"));
        for (PhaseRate rate : results.rates()) {
            rows.add(
                    List.of(
                            rate.phase(),
                            Texts.number(rate.seconds(), 1) + " s",
                            Texts.number(rate.okPerSecond(), 1),
                            Texts.number(rate.failPerSecond(), 1),
                            Texts.number(rate.infoPerSecond(), 1)));
        }
        lines.table(rows);
    }

    private void facts() {
        if (!results.findings().facts().isEmpty()) {
            lines.heading("Facts");
            results.findings()
                    .facts()
                    .forEach((name, value) -> lines.paragraph("  " + name + ": ", value));
        }
    }

    private void files(List<Path> files, List<Skipped> missing) {
        lines.heading("Files");
        files.forEach(file -> lines.whole("  " + file));
        missing.forEach(
                file -> lines.paragraph("  " + file.what() + " is not there: ", file.why()));
        lines.heading("Again");
        lines.whole("  " + results.command());
    }
}
