package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

class DiskWatchTest {
    private static final long MIB = 1 << 20;
    private static final long LOW = 100 * MIB;

    private long free = 1_000 * MIB;
    private boolean isReadable = true;
    private boolean isLeading = true;
    private boolean isTaken = true;
    private long nowSeconds = 5_000;
    private final List<Long> handedOverAt = new ArrayList<>();
    private final DiskWatch watch = watch(LOW);

    private DiskWatch watch(long lowBytes) {
        return new DiskWatch(
                Path.of("data"),
                this::free,
                lowBytes,
                () -> isLeading,
                () -> {
                    handedOverAt.add(nowSeconds);
                    return isTaken;
                });
    }

    private long free() throws IOException {
        if (!isReadable) {
            throw new IOException("as the test wants");
        }
        return free;
    }

    private void look() {
        watch.look(Duration.ofSeconds(nowSeconds).toNanos());
    }

    /** Looks each second, as the watch's own thread does. */
    private void lookFor(Duration time) {
        for (long end = nowSeconds + time.toSeconds(); nowSeconds < end; nowSeconds++) {
            look();
        }
    }

    @Test
    void aLeaderWithSpaceKeepsLeadership() {
        lookFor(Duration.ofHours(1));
        assertThat(handedOverAt).isEmpty();
        assertThat(watch.last()).isEqualTo(new DiskSpace(1_000 * MIB, false));
    }

    @Test
    void aLeaderWithLittleSpaceHandsOverAtOnce() {
        look();
        free = LOW - 1;
        look();
        assertThat(handedOverAt).containsExactly(nowSeconds);
        assertThat(watch.last()).isEqualTo(new DiskSpace(LOW - 1, true));
        assertThat(watch.last().free()).isEqualTo("99 MiB");
    }

    @Test
    void whoDoesNotLeadHasNothingToHandOver() {
        isLeading = false;
        free = 0;
        lookFor(Duration.ofMinutes(1));
        assertThat(handedOverAt).isEmpty();
        assertThat(watch.last().isLow()).isTrue();
        isLeading = true;
        look();
        assertThat(handedOverAt).containsExactly(nowSeconds);
    }

    @Test
    void leadershipThatComesBackGoesOnAtGrowingIntervals() {
        free = 0;
        lookFor(Duration.ofHours(1));
        assertThat(intervals()).startsWith(2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 600L, 600L);
        assertThat(handedOverAt).hasSizeLessThan(16);
    }

    @Test
    void whereNobodyTakesOverItIsTriedAtGrowingIntervals() {
        free = 0;
        isTaken = false;
        lookFor(Duration.ofMinutes(1));
        assertThat(intervals()).containsExactly(2L, 4L, 8L, 16L);
    }

    private List<Long> intervals() {
        List<Long> intervals = new ArrayList<>();
        for (int at = 1; at < handedOverAt.size(); at++) {
            intervals.add(handedOverAt.get(at) - handedOverAt.get(at - 1));
        }
        return intervals;
    }

    @Test
    void spaceThatVariesAroundTheMarkIsLowUntilThereIsClearlyMore() {
        free = LOW - 1;
        look();
        free = LOW + 1;
        look();
        assertThat(watch.last().isLow()).isTrue();
        free = LOW + LOW / 4;
        look();
        assertThat(watch.last().isLow()).isFalse();
        free = LOW + 1;
        look();
        assertThat(watch.last().isLow()).isFalse();
        nowSeconds++;
        free = LOW - 1;
        look();
        assertThat(handedOverAt).as("at once again").hasSize(2);
    }

    @Test
    void spaceThatIsNotKnownChangesNothing() {
        isReadable = false;
        look();
        assertThat(watch.last()).isEqualTo(DiskSpace.UNKNOWN);
        assertThat(watch.last().free()).isEqualTo("unknown");
        isReadable = true;
        free = 0;
        look();
        isReadable = false;
        look();
        assertThat(watch.last()).isEqualTo(new DiskSpace(-1, true));
        assertThat(handedOverAt).hasSize(1);
    }

    @Test
    void aMarkOfZeroSwitchesItOff() {
        free = 0;
        DiskWatch off = watch(0);
        off.look(0);
        assertThat(off.last()).isEqualTo(new DiskSpace(0, false));
        assertThat(handedOverAt).isEmpty();
    }

    @Test
    void aDiskThatAnswersNothingDoesNotKeepTheNodeFromStopping() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        DiskWatch stuck =
                new DiskWatch(
                        Path.of("data"),
                        () -> {
                            asked.countDown();
                            awaitWithoutInterruption(never);
                            return 0;
                        },
                        LOW,
                        () -> true,
                        () -> true);
        stuck.start();
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        long start = System.nanoTime();
        stuck.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        never.countDown();
    }

    private static void awaitWithoutInterruption(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // As a system call that does not return.
            }
        }
    }
}
