package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event.StoreAction;
import io.raftlock.chaos.history.Event.Stored;

import org.junit.jupiter.api.Test;

class FencedStoreCheckTest {
    private final RunFixture run = new RunFixture();
    private long at;

    private long token(String client) {
        long token = run.lock(client, "k", 1, 2);
        run.release(client, "k", token, 3, 4);
        return token;
    }

    private void read(long token, long version, boolean guarded) {
        run.event(new Stored(++at, "A", "k", StoreAction.READ, token, 0, version, 0, guarded));
    }

    private void write(long token, long element, long version, long basedOn, boolean guarded) {
        run.event(
                new Stored(
                        ++at,
                        "A",
                        "k",
                        StoreAction.WRITE,
                        token,
                        element,
                        version,
                        basedOn,
                        guarded));
    }

    private long found() {
        return new FencedStoreCheck().look(run.evidence()).found();
    }

    @Test
    void acceptsUpdatesThatBuildOnEachOtherAndRefusedOnes() {
        long a = token("A");
        long b = token("B");
        read(a, 1, true);
        write(a, 1, 2, 1, true);
        read(b, 2, true);
        write(a, 1, 0, 2, true);
        write(b, 2, 3, 2, true);
        assertThat(found()).isZero();
        assertThat(new FencedStoreCheck().look(run.evidence()).lookedAt()).isEqualTo(5);
        assertThat(FencedStoreCheck.lostUpdates(run.evidence().history())).isZero();
    }

    @Test
    void rejectsAnAcknowledgedUpdateThatIsLost() {
        long a = token("A");
        write(a, 1, 2, 1, true);
        write(a, 2, 3, 2, true);
        write(a, 3, 4, 2, true);
        assertThat(found()).isEqualTo(1);
        assertThat(new FencedStoreCheck().check(run.evidence()).get(0).calls()).containsExactly(2L);
    }

    @Test
    void rejectsAnOldTokenAfterARead() {
        long a = token("A");
        long b = token("B");
        read(b, 1, true);
        write(a, 1, 2, 1, true);
        assertThat(found()).isEqualTo(1);
    }

    @Test
    void rejectsATokenThatNobodyWasGiven() {
        write(token("A") + 1, 1, 2, 1, true);
        assertThat(found()).isEqualTo(1);
    }

    @Test
    void rejectsAVersionThatIsMadeTwice() {
        long a = token("A");
        write(a, 1, 2, 1, true);
        write(a, 2, 2, 1, true);
        assertThat(found()).isEqualTo(1);
    }

    @Test
    void rejectsWhatAStoreWithoutTokensTakesAndLoses() {
        long a = token("A");
        long b = token("B");
        write(b, 1, 2, 1, false);
        write(a, 2, 3, 1, false);
        assertThat(found()).isEqualTo(2);
        assertThat(FencedStoreCheck.lostUpdates(run.evidence().history())).isEqualTo(1);
    }
}
