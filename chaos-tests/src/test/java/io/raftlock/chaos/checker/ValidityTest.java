package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.Result;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;

class ValidityTest {
    private static final CheckSettings AIMED =
            CheckSettings.DEFAULT.withKinds(Set.of(), Set.of("kill"));

    private final RunFixture run = new RunFixture();

    private void cycle(long at) {
        long token = run.lock("A", "k", at, at + 1);
        run.release("A", "k", token, at + 2, at + 3);
    }

    private void phases() {
        run.phase(Phase.FAULTS, 100).phase(Phase.RECOVERY, 200).phase(Phase.FINAL, 300);
    }

    private void goodRun() {
        phases();
        cycle(10);
        cycle(110);
        cycle(210);
        run.fault(0, "kill", "n1", 120, 130, "it is gone");
        run.seenWell("n1", "LEADER", 310);
    }

    private List<String> reasons(CheckSettings settings) {
        return Validity.of(run.evidence(settings)).reasons();
    }

    @Test
    void aRunInWhichAllHappenedIsValidAndPasses() {
        goodRun();
        assertThat(reasons(CheckSettings.DEFAULT)).isEmpty();
        Judgement judgement = Judgement.of(run.evidence());
        assertThat(judgement.violations()).isEmpty();
        assertThat(judgement.verdict()).isEqualTo(Verdict.PASSED);
        assertThat(judgement.results()).hasSameSizeAs(Checks.ALL);
        assertThat(judgement.results().get(0))
                .hasToString("invariant 1 exclusion: passed, 3 holds looked at");
    }

    @Test
    void aBrokenPromiseIsOneAlsoInARunThatIsNotValid() {
        long call = run.invoked("A", Action.LOCK, "k", 0, 1);
        run.returned(call, Result.OK, 77, 2);
        assertThat(Judgement.of(run.evidence()).verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void aRunWithoutPhasesFaultsOrJournalsIsInvalid() {
        assertThat(Judgement.of(run.evidence()).verdict()).isEqualTo(Verdict.INVALID);
        assertThat(reasons(CheckSettings.DEFAULT))
                .anyMatch(reason -> reason.contains("phases"))
                .anyMatch(reason -> reason.contains("no faults"))
                .anyMatch(reason -> reason.contains("no journal"));
    }

    @Test
    void aKindOfCallWithoutAnOkInEachPartMakesItInvalid() {
        phases();
        cycle(10);
        cycle(110);
        run.fault(0, "kill", "n1", 120, 130, "it is gone");
        run.seenWell("n1", "LEADER", 310);
        assertThat(reasons(CheckSettings.DEFAULT))
                .containsExactly(
                        "no LOCK was OK after the faults", "no RELEASE was OK after the faults");
    }

    @Test
    void faultsWithoutProofMakeItInvalidBeyondAShare() {
        goodRun();
        run.fault(1, "kill", "n2", 140, 150, "");
        assertThat(reasons(CheckSettings.DEFAULT)).singleElement().asString().contains("1 of 2");
        for (int step = 2; step < 5; step++) {
            run.fault(step, "kill", "n2", 140, 150, "yes");
        }
        assertThat(reasons(CheckSettings.DEFAULT)).isEmpty();
    }

    @Test
    void aLeaderThatWasAimedAtHasToChange() {
        goodRun();
        assertThat(reasons(AIMED)).singleElement().asString().contains("never changed");
        run.seen("n2", "LEADER", 2, run.log().index(), run.log().digest(), 320);
        assertThat(reasons(AIMED)).isEmpty();
    }

    @Test
    void aCallThatCameBackUnaskedMeansALostEvent() {
        goodRun();
        run.returned(999, Result.OK, 0, 50);
        assertThat(reasons(CheckSettings.DEFAULT))
                .singleElement()
                .asString()
                .contains("call 999 came back unasked");
    }

    @Test
    void anIndexThatNoJournalHasMakesItInvalid() {
        goodRun();
        run.seen("n1", "LEADER", 1, run.log().index() + 5, "x", 320);
        assertThat(reasons(CheckSettings.DEFAULT)).hasSize(2);
    }
}
