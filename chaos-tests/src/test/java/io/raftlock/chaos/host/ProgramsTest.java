package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

class ProgramsTest {
    @Test
    void aProgramReadsItsInputAndGivesItsOutputs() {
        assertThat(Programs.check(List.of("sh", "-c", "cat; echo two >&2"), "one\n"))
                .isEqualTo("one\ntwo\n");
    }

    @Test
    void aProgramThatFailsIsNamedWithWhatItSaid() {
        assertThatThrownBy(() -> Programs.check(List.of("sh", "-c", "echo sorry; exit 3")))
                .isInstanceOf(ProgramFailedException.class)
                .hasMessage("sh -c echo sorry; exit 3: exit code 3: sorry");
    }

    @Test
    void aProgramThatDoesNotEndIsKilled() {
        long from = System.nanoTime();
        assertThatThrownBy(
                        () ->
                                Programs.run(
                                        Duration.ofMillis(200),
                                        List.of("sleep", "60"),
                                        "",
                                        Map.of()))
                .hasMessageContaining("not over within 200 ms");
        assertThat(System.nanoTime() - from).isLessThan(5_000_000_000L);
    }

    @Test
    void aDescendantThatKeepsTheOutputOpenHoldsNobodyUp() {
        long from = System.nanoTime();
        assertThat(Programs.check(List.of("sh", "-c", "sleep 4 & echo done"))).isEqualTo("done\n");
        assertThat(System.nanoTime() - from).isLessThan(3_000_000_000L);
    }

    @Test
    void whatIsMissingOnAMachineIsSaidInASentence() {
        assertThatThrownBy(() -> Programs.check(List.of("no-such-program")))
                .isInstanceOf(ProgramFailedException.class)
                .extracting(e -> Reason.of((Exception) e))
                .isEqualTo("no-such-program is not installed (apt-get install util-linux)");
        assertThat(
                        Reason.of(
                                new ProgramFailedException(
                                        List.of("nsenter", "nft"),
                                        "exit code 127",
                                        "nsenter: failed to execute nft: No such file or"
                                                + " directory")))
                .isEqualTo("nft is not installed (apt-get install nftables)");
        assertThat(Reason.of(new IOException("mkdir: Permission denied"))).isEqualTo("needs root");
    }

    @Test
    void whatCannotBeDoneHasAReason() {
        Capabilities some = new Capabilities(Map.of(Capability.FREEZER, "needs root"));
        assertThat(some.has(Capability.FREEZER)).isFalse();
        assertThat(some.whyNot(Capability.FREEZER)).isEqualTo("needs root");
        assertThat(some.has(Capability.SHIMS)).isTrue();
        assertThat(some.whyNot(Capability.SHIMS)).isEmpty();
        assertThatThrownBy(() -> some.require(Capability.FREEZER))
                .hasMessage("FREEZER: needs root");
    }
}
