package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.Check;
import io.raftlock.chaos.checker.Checked;
import io.raftlock.chaos.checker.Checks;
import io.raftlock.chaos.checker.Judgement;
import io.raftlock.chaos.checker.Validity;
import io.raftlock.chaos.checker.Verdict;
import io.raftlock.chaos.checker.Violation;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Stalls;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

class BriefTest {
    private static final Path FOLDER = Path.of("target", "chaos", "smoke-a");
    private static final Stalls STALLS =
            Stalls.of(List.of(new Event.MachineStalled(5, Event.Part.DISK, 1_300_000_000)));

    private static Judgement.Result result(Check check, int found, String what) {
        List<Violation> violations =
                IntStream.rangeClosed(1, found)
                        .mapToObj(i -> new Violation("%s %d".formatted(what, i)))
                        .toList();
        return new Judgement.Result(
                check, new Checked(violations, found, 100, "things", List.of()));
    }

    private static List<String> lines(
            Verdict verdict,
            Set<Integer> broken,
            List<Judgement.Result> results,
            List<String> reasons) {
        Judgement judgement = new Judgement(verdict, results, new Validity(reasons));
        return Brief.of(judgement, broken, STALLS, FOLDER).lines().toList();
    }

    private static Check liveness() {
        return Checks.ALL.stream().filter(check -> check.invariant() == 14).findAny().orElseThrow();
    }

    @Test
    void theFirstFindingsOfTheOneBrokenCheckAreThere() {
        assertThat(
                        lines(
                                Verdict.FAILED,
                                Set.of(14),
                                List.of(
                                        result(Checks.ALL.get(0), 0, ""),
                                        result(liveness(), 7, "nobody\ngot anywhere")),
                                List.of()))
                .containsExactly(
                        "FAILED, broken invariants [14], in " + FOLDER,
                        "  14 liveness (7 found): nobody got anywhere 1",
                        "  14 liveness (7 found): nobody got anywhere 2",
                        "  14 liveness (7 found): nobody got anywhere 3",
                        "  14 liveness (7 found): nobody got anywhere 4",
                        "  the machine stood still: 1,300 ms in all, 1,300 ms at most, 1 times");
    }

    @Test
    void aRunThatProvesNothingSaysWhy() {
        assertThat(lines(Verdict.INVALID, Set.of(), List.of(), List.of("no LOCK was OK")))
                .contains("  proves nothing: no LOCK was OK")
                .first()
                .asString()
                .startsWith("INVALID, broken invariants []");
    }

    @Test
    void howeverMuchIsBrokenTheLinesAreFewAndNotLong() {
        List<Judgement.Result> all =
                Checks.ALL.stream().map(check -> result(check, 50, "x".repeat(5_000))).toList();
        List<String> lines =
                lines(Verdict.FAILED, Set.of(1), all, List.of("a", "b", "c", "y".repeat(5_000)));
        assertThat(lines).hasSizeLessThanOrEqualTo(8).allMatch(line -> line.length() < 400);
        assertThat(lines.get(1)).contains("(50 found)");
    }
}
