package io.raftlock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.bench.load.Meter.Measurement;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.TimeUnit;

class MeasurementTextTest {
    @Test
    void whatIsWrittenIsRead() {
        Measurement measured = measured(1_000, 3_000_000);
        Measurement read = MeasurementText.parse(MeasurementText.of(measured));
        assertThat(read.nanos()).isEqualTo(measured.nanos());
        assertThat(read.acquire()).isEqualTo(measured.acquire());
        assertThat(read.cycle()).isEqualTo(measured.cycle());
        assertThat(read.handOff().getTotalCount()).isZero();
        assertThat(read.renewal()).isEqualTo(measured.renewal());
        assertThat(read.renewal().getTotalCount()).isEqualTo(1);
    }

    @Test
    void cyclesAndRenewalsOfSeveralProcessesAreAddedUp() {
        Measurement one = MeasurementText.parse(MeasurementText.of(measured(1_000, 1_000)));
        Measurement other = MeasurementText.parse(MeasurementText.of(measured(5_000_000)));
        Measurement both = Measurement.merged(List.of(one, other));
        assertThat(both.cyclesPerSecond()).isEqualTo(5);
        assertThat(both.acquire().getValueAtPercentile(50)).isEqualTo(1_000);
        assertThat(both.acquire().getMaxValue()).isGreaterThanOrEqualTo(5_000_000);
    }

    @Test
    void anotherTextIsNoMeasurement() {
        assertThatThrownBy(() -> MeasurementText.parse("ready")).isInstanceOf(LoadFailure.class);
        assertThatThrownBy(() -> MeasurementText.parse("1 a b c")).isInstanceOf(LoadFailure.class);
    }

    private static Measurement measured(long... acquires) {
        Meter meter = new Meter();
        meter.startMeasuring();
        for (long nanos : acquires) {
            meter.cycle(0, nanos, nanos + 500);
        }
        meter.renewed(700);
        Measurement real = meter.endMeasuring();
        return new Measurement(
                TimeUnit.SECONDS.toNanos(1),
                real.acquire(),
                real.cycle(),
                real.handOff(),
                real.renewal());
    }
}
