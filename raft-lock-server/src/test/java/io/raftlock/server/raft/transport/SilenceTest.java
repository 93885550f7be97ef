package io.raftlock.server.raft.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long START = Long.MAX_VALUE - 5;
    private static final long LEAST = Silence.LEAST_NANOS;

    private final Silence silence = new Silence();

    @Test
    void onlyAPeerThatWasAskedIsSilent() {
        assertThat(silence.isTooLong(START + 100 * LEAST)).isFalse();
        silence.asked(START);
        assertThat(silence.isTooLong(START + LEAST - 1)).isFalse();
        assertThat(silence.isTooLong(START + LEAST)).isTrue();
    }

    @Test
    void theFirstOfTheCallsCounts() {
        silence.asked(START);
        silence.asked(START + LEAST / 2);
        assertThat(silence.isTooLong(START + LEAST)).isTrue();
    }

    @Test
    void aWordEndsIt() {
        silence.asked(START);
        silence.heard();
        assertThat(silence.isTooLong(START + LEAST)).isFalse();
        silence.asked(START + LEAST);
        assertThat(silence.isTooLong(START + 2 * LEAST - 1)).isFalse();
        assertThat(silence.isTooLong(START + 2 * LEAST)).isTrue();
    }

    @Test
    void aPeerThatStaysSilentIsGivenMoreAndMoreTime() {
        long now = START;
        long bound = LEAST;
        for (int connection = 0; connection < 10; connection++) {
            silence.asked(now);
            assertThat(silence.isTooLong(now + bound - 1)).isFalse();
            now += bound;
            assertThat(silence.isTooLong(now)).isTrue();
            assertThat(silence.isTooLong(now)).as("twice").isFalse();
            bound = Math.min(2 * bound, Silence.MOST_NANOS);
        }
        assertThat(bound).isEqualTo(Silence.MOST_NANOS);
        silence.heard();
        silence.asked(now);
        assertThat(silence.isTooLong(now + LEAST)).isTrue();
    }
}
