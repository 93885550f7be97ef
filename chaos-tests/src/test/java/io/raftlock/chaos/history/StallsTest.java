package io.raftlock.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event.MachineStalled;
import io.raftlock.chaos.history.Event.Part;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;

class StallsTest {
    private static MachineStalled stall(Part part, long from, long to) {
        return new MachineStalled(from, part, to - from);
    }

    private static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }

    @Test
    void stallsOfBothPartsAtOnceCountOnce() {
        Stalls stalls =
                Stalls.of(
                        List.of(
                                stall(Part.DISK, 150, 300),
                                stall(Part.PROCESSORS, 100, 200),
                                stall(Part.PROCESSORS, 500, 540),
                                stall(Part.DISK, 510, 520)));
        assertThat(stalls.total()).isEqualTo(nanos(240));
        assertThat(stalls.longest()).isEqualTo(nanos(200));
    }

    @Test
    void stallsThatTouchAreOneAndThoseApartAreNot() {
        Stalls touching =
                Stalls.of(List.of(stall(Part.DISK, 10, 20), stall(Part.PROCESSORS, 20, 30)));
        assertThat(touching.longest()).isEqualTo(nanos(20));
        Stalls apart = Stalls.of(List.of(stall(Part.DISK, 10, 20), stall(Part.PROCESSORS, 21, 30)));
        assertThat(apart.longest()).isEqualTo(nanos(10));
        assertThat(apart.total()).isEqualTo(nanos(19));
    }

    @Test
    void ofATimeThePartsCountThatLieInIt() {
        Stalls stalls = Stalls.of(List.of(stall(Part.DISK, 100, 200), stall(Part.DISK, 300, 400)));
        assertThat(stalls.within(0, 1_000)).isEqualTo(nanos(200));
        assertThat(stalls.within(150, 330)).isEqualTo(nanos(80));
        assertThat(stalls.within(120, 130)).isEqualTo(nanos(10));
        assertThat(stalls.within(200, 300)).isEqualTo(Duration.ZERO);
        assertThat(stalls.within(500, 600)).isEqualTo(Duration.ZERO);
    }

    @Test
    void aHistoryWithoutStallsHasNone() {
        Stalls none = RunHistory.of(List.of(new Event.Noted(5, "setup", "", ""))).stalls();
        assertThat(none.total()).isEqualTo(Duration.ZERO);
        assertThat(none.longest()).isEqualTo(Duration.ZERO);
        assertThat(none).hasToString("never, as far as was noted");
    }

    @Test
    void aHistorySaysHowLongItsMachineStoodStill() {
        long milli = 1_000_000;
        RunHistory history =
                RunHistory.of(
                        List.of(
                                stall(Part.DISK, 900 * milli, 1_200 * milli),
                                stall(Part.PROCESSORS, 5 * milli, 205 * milli)));
        assertThat(history.stalls()).hasToString("500 ms in all, 300 ms at most, 2 times");
    }
}
