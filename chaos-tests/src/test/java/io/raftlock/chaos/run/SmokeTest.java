package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.Verdict;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Which runs of the build are made once more, and what counts then. */
class SmokeTest {
    private static final Path OWN = Path.of("smoke-x");
    private static final Path AGAIN = Path.of("smoke-x-again");

    private final List<Path> folders = new ArrayList<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private static ChaosRun.Result result(Verdict verdict, Integer... broken) {
        return new ChaosRun.Result(
                verdict, Set.of(broken), List.of(), verdict + " " + List.of(broken), "");
    }

    private Trial trial(ChaosRun.Result... results) throws IOException {
        return Smoke.twiceAtMost(
                folder -> {
                    folders.add(folder);
                    return results[folders.size() - 1];
                },
                OWN,
                AGAIN,
                new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theSecondRunCountsAndLeavesTheFolderOfTheFirstAlone() throws IOException {
        Trial good = trial(result(Verdict.FAILED, 14), result(Verdict.PASSED));
        assertThat(good.isGood()).isTrue();
        assertThat(folders).containsExactly(OWN, AGAIN);
        assertThat(printed()).contains("once more", "liveness", OWN.toString());
    }

    @Test
    void aSecondRunThatFailsIsTheLastAndBothAreTold() throws IOException {
        Trial bad = trial(result(Verdict.INVALID), result(Verdict.FAILED, 14));
        assertThat(bad.isGood()).isFalse();
        assertThat(bad.why()).contains("INVALID []", "FAILED [14]");
        assertThat(folders).containsExactly(OWN, AGAIN);
    }

    @Test
    void aRunThatCountsIsMadeOnce() throws IOException {
        assertThat(trial(result(Verdict.FAILED, 1, 14)).isGood()).isFalse();
        assertThat(folders).containsExactly(OWN);
        folders.clear();
        assertThat(trial(result(Verdict.PASSED)).isGood()).isTrue();
        assertThat(folders).containsExactly(OWN);
        assertThat(printed()).isEmpty();
    }

    @Test
    void aRunThatPassedCounts() {
        assertThat(Smoke.whyOnceMore(Verdict.PASSED, Set.of())).isEmpty();
    }

    @Test
    void aRunInWhichLivenessAloneIsBrokenIsMadeOnceMore() {
        assertThat(Smoke.whyOnceMore(Verdict.FAILED, Set.of(14)))
                .hasValueSatisfying(why -> assertThat(why).contains("liveness"));
    }

    @Test
    void aRunThatProvesNothingIsMadeOnceMore() {
        assertThat(Smoke.whyOnceMore(Verdict.INVALID, Set.of())).isPresent();
    }

    @Test
    void aRunInWhichSafetyIsBrokenCountsWhateverElseIsBroken() {
        for (int invariant = 1; invariant <= 15; invariant++) {
            if (invariant != 14) {
                assertThat(Smoke.whyOnceMore(Verdict.FAILED, Set.of(invariant))).isEmpty();
                assertThat(Smoke.whyOnceMore(Verdict.FAILED, Set.of(invariant, 14))).isEmpty();
            }
        }
    }
}
