package io.raftlock.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class SummaryTest {
    private static final String COMMAND = "scripts/chaos --seed 42 " + "--long ".repeat(30);

    @Test
    void theVerdictIsOnTheFirstLine() {
        assertThat(summary(ExampleRun.failed()).lines().findFirst())
                .contains("FAILED: 1 of 2 checks found something");
        assertThat(summary(ExampleRun.passed()).lines().findFirst())
                .contains("PASSED: 1 checks found nothing");
    }

    @Test
    void anInvalidRunSaysWhy() {
        Findings invalid =
                new Findings(
                        "INVALID",
                        List.of(),
                        List.of("no fault had an effect"),
                        List.of(),
                        Map.of());
        assertThat(summary(invalid)).startsWith("INVALID").contains("  - no fault had an effect");
    }

    @Test
    void findingsComeWithTheirTimeInTheRunBeforeTheFaults() {
        String summary = summary(ExampleRun.failed());
        assertThat(summary).contains("+13.4 s  token 900 of");
        assertThat(summary.indexOf("+13.4 s")).isLessThan(summary.indexOf("\nFaults\n"));
    }

    @Test
    void faultsSkipsCountsAndCommandAreThere() {
        String summary = summary(ExampleRun.failed());
        assertThat(summary)
                .containsPattern("KILL +1 +1 +1.26 s +7.50 s")
                .contains("DUPLICATE: this host has no nft")
                .contains("Longest time without a lock acquired: 1.26 s, from +12.0 s.")
                .containsPattern("TRY_LOCK +[0-9,]+")
                .contains(COMMAND);
    }

    @Test
    void linesFitInAHundredColumnsButForTheCommandAndFiles() {
        assertThat(summary(ExampleRun.failed()).lines())
                .filteredOn(line -> !line.contains(COMMAND.strip()) && !line.contains(".json"))
                .allMatch(line -> line.length() <= TextLines.WIDTH);
    }

    @Test
    void longTextsAreBrokenAndDoNothingToATerminal() {
        Finding finding =
                new Finding(
                        "x".repeat(300) + " \u001b[31m red\nnext " + "y ".repeat(90), 0, many());
        Findings findings =
                new Findings(
                        "FAILED",
                        List.of(new CheckLine(1, "n", "d", 1, List.of(finding))),
                        List.of(),
                        List.of(new Skipped("s".repeat(150), "w ".repeat(100))),
                        Map.of());
        String summary = summary(findings);
        assertThat(summary).doesNotContain("\u001b").contains("and 988)");
        assertThat(summary.lines().filter(line -> line.startsWith("              ")))
                .allMatch(line -> line.length() <= TextLines.WIDTH);
    }

    @Test
    void aCheckWithVeryManyFindingsShowsTheFirst() {
        List<Finding> findings = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            findings.add(new Finding("finding number " + at, 0, List.of()));
        }
        Findings many =
                new Findings(
                        "FAILED",
                        List.of(new CheckLine(1, "n", "d", 1, findings)),
                        List.of(),
                        List.of(),
                        Map.of());
        assertThat(summary(many))
                .contains("finding number 19", "and 980 findings more in results.json")
                .doesNotContain("finding number 20");
    }

    private static List<Long> many() {
        return java.util.stream.LongStream.range(0, 1_000).boxed().toList();
    }

    private static String summary(Findings findings) {
        Run run = Run.of(ExampleRun.events());
        Results results = Results.of(run, ExampleRun.schedule(), findings, COMMAND);
        return Summary.of(results, run.span(), List.of(Path.of("results.json")), List.of());
    }
}
