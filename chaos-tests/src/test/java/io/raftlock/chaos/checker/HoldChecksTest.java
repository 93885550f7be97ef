package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Hold;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class HoldChecksTest {
    @Test
    void acceptsHoldsThatFollowEachOther() {
        List<Hold> good = List.of(hold("k", "A", 1, 0, 10), hold("k", "B", 2, 10, 20));
        assertThat(HoldChecks.mutualExclusion(good)).isEmpty();
        assertThat(HoldChecks.increasingTokens(good)).isEmpty();
    }

    @Test
    void acceptsHoldsOfDifferentNamesAtOneTime() {
        List<Hold> good = List.of(hold("k", "A", 7, 0, 10), hold("m", "B", 2, 5, 20));
        assertThat(HoldChecks.mutualExclusion(good)).isEmpty();
        assertThat(HoldChecks.increasingTokens(good)).isEmpty();
    }

    @Test
    void rejectsTwoOwnersAtOneTime() {
        assertThat(
                        HoldChecks.mutualExclusion(
                                List.of(hold("k", "B", 2, 9, 20), hold("k", "A", 1, 0, 10))))
                .singleElement()
                .hasToString(
                        "two owners of k: B's hold with token 2 was granted while A's hold with"
                                + " token 1 held it");
    }

    @Test
    void rejectsAGrantWithinALongHoldThatIsNotTheOneBefore() {
        assertThat(
                        HoldChecks.mutualExclusion(
                                List.of(
                                        hold("k", "A", 1, 0, 100),
                                        hold("k", "B", 2, 10, 20),
                                        hold("k", "C", 3, 30, 40))))
                .hasSize(2);
    }

    @Test
    void rejectsAGrantAfterAHoldThatNeverEnded() {
        assertThat(
                        HoldChecks.mutualExclusion(
                                List.of(
                                        hold("k", "A", 1, 0, Hold.STILL_HELD),
                                        hold("k", "B", 2, 1_000, 2_000))))
                .hasSize(1);
    }

    @Test
    void rejectsATokenThatGoesBack() {
        assertThat(
                        HoldChecks.increasingTokens(
                                List.of(hold("k", "A", 5, 0, 10), hold("k", "B", 4, 10, 20))))
                .singleElement()
                .hasToString(
                        "tokens of k do not increase: B's hold with token 4 came after A's hold"
                                + " with token 5");
    }

    @Test
    void rejectsATokenThatIsGivenTwice() {
        assertThat(
                        HoldChecks.increasingTokens(
                                List.of(hold("k", "A", 5, 0, 10), hold("k", "B", 5, 10, 20))))
                .hasSize(1);
    }

    @Test
    void findsTheLongestTimeWithoutAGrantFromAMomentOn() {
        List<Hold> holds =
                List.of(
                        hold("k", "A", 1, 100, 101),
                        hold("m", "B", 2, 500, 501),
                        hold("k", "C", 3, 530, 560));
        assertThat(HoldChecks.longestGap(holds, 0)).isEqualTo(Duration.ofNanos(400));
        assertThat(HoldChecks.longestGap(holds, 480)).isEqualTo(Duration.ofNanos(30));
    }

    @Property(tries = 200)
    void findsTheOneBadHoldAmongManyGoodOnes(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 200) int count) {
        Random random = new Random(seed);
        List<Hold> holds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            holds.add(hold("k", "C" + i % 8, 100 + i, i * 10L, i * 10L + random.nextInt(1, 10)));
        }
        Collections.shuffle(holds, random);
        assertThat(HoldChecks.mutualExclusion(holds)).isEmpty();
        assertThat(HoldChecks.increasingTokens(holds)).isEmpty();

        long inside = random.nextInt(1, count) * 10L;
        holds.add(hold("k", "bad", 1, inside, inside + 1));
        assertThat(HoldChecks.mutualExclusion(holds)).hasSize(1);
        assertThat(HoldChecks.increasingTokens(holds)).isNotEmpty();
    }

    private static Hold hold(String name, String client, long token, long granted, long ended) {
        return new Hold(name, client, token, granted, ended);
    }
}
