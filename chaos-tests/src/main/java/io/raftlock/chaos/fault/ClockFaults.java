package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.ClockShim;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Faults of clocks, each of one process's view alone. Owned by the driver's thread. */
final class ClockFaults {
    private static final int PPM_PER_THOUSANDTH = 1_000;

    private ClockFaults() {}

    /** The wall clock jumps, and back at the end. */
    static Active wallJump(List<Gear> gears, Duration by) {
        return new Changed(
                gears, clock -> clock.wallOffset(by), clock -> clock.wallOffset(Duration.ZERO));
    }

    /** The wall clock jumps to and fro at each tick. */
    static Active wallStrobe(List<Gear> gears, Duration by) {
        return new Changed(
                gears, clock -> clock.wallOffset(by), clock -> clock.wallOffset(Duration.ZERO)) {
            private boolean isAhead;

            @Override
            public void tick(long nowNanos) {
                isAhead = !isAhead;
                all(clock -> clock.wallOffset(isAhead ? by : by.negated()));
            }
        };
    }

    /** Time goes faster, or slower, until the end. */
    static Active rate(List<Gear> gears, int thousandths) {
        return new Changed(
                gears,
                clock -> clock.monotonicRate((long) thousandths * PPM_PER_THOUSANDTH),
                clock -> clock.monotonicRate(0));
    }

    /** The monotonic clock jumps forward; it cannot go back, so it stays there. */
    static Active jump(List<Gear> gears, Duration by) {
        return new Changed(gears, clock -> clock.monotonicJump(by), clock -> {});
    }

    private static class Changed implements Active {
        private final List<ClockShim> clocks;
        private final Consumer<ClockShim> back;
        private final long readsBefore;

        Changed(List<Gear> gears, Consumer<ClockShim> change, Consumer<ClockShim> back) {
            clocks = gears.stream().map(Gear::requireClock).toList();
            this.back = back;
            readsBefore = reads();
            clocks.forEach(change);
        }

        final void all(Consumer<ClockShim> change) {
            clocks.forEach(change);
        }

        private long reads() {
            return clocks.stream().mapToLong(ClockShim::reads).sum();
        }

        @Override
        public String end() {
            long reads = reads() - readsBefore;
            clocks.forEach(back);
            return reads > 0 ? "false clocks were read " + reads + " times" : "";
        }
    }
}
