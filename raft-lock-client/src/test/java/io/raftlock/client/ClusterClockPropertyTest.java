package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.util.Random;

/**
 * However the answers are delayed and however the two clocks run apart, a deadline is over here
 * before the cluster reaches it.
 */
class ClusterClockPropertyTest {
    private static final double NANOS_PER_MILLI = 1_000_000;

    @Property
    void aDeadlineIsNeverLaterHereThanAtTheCluster(@ForAll long seed) { // E29
        Random random = new Random(seed);
        // The cluster's clock in terms of ours: slower, or up to 1 % faster.
        double rate = 0.9 + 0.11 * random.nextDouble();
        long localStart = random.nextLong();
        double clusterStartMillis = random.nextInt(1_000_000);
        ClusterClock clock = new ClusterClock();
        double now = 0;
        for (int answer = random.nextInt(20); answer > 0; answer--) {
            double sent = now + random.nextInt(1_000) * NANOS_PER_MILLI;
            double answered = sent + random.nextInt(500) * NANOS_PER_MILLI;
            clock.sample(
                    localStart + (long) sent,
                    (long) (clusterStartMillis + answered * rate / NANOS_PER_MILLI));
            now = answered;
        }
        double asked = now;
        double granted = asked + random.nextInt(60_000) * NANOS_PER_MILLI;
        long holdMillis = 1 + random.nextInt(600_000);
        double grantedAtCluster = clusterStartMillis + granted * rate / NANOS_PER_MILLI;
        long deadlineMillis = (long) grantedAtCluster + holdMillis;
        long local = clock.localDeadline(deadlineMillis, localStart + (long) asked, holdMillis);
        double atCluster = clusterStartMillis + (local - localStart) * rate / NANOS_PER_MILLI;
        assertThat(atCluster).isLessThanOrEqualTo(deadlineMillis + 0.001);
    }

    @Property
    void withClocksOfOneRateAndQuickAnswersItIsEarlyByOnePercentOnly(@ForAll long seed) { // E29
        Random random = new Random(seed);
        long start = random.nextLong();
        ClusterClock clock = new ClusterClock();
        clock.sample(start, 5_000);
        long deadlineMillis = 5_000 + 1 + random.nextInt(600_000);
        long left = clock.localDeadline(deadlineMillis, start - 1_000_000_000_000L, 1) - start;
        assertThat(left).isEqualTo((deadlineMillis - 5_000) * 990_000);
    }
}
