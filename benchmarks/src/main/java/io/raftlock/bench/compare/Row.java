package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.Meter;
import io.raftlock.bench.peer.PeerSystem;

import org.HdrHistogram.Histogram;

import java.util.Locale;

/**
 * What one system did in one cell. Times are in microseconds.
 *
 * @param repeat which of the repeats, from 1
 * @param cell as {@link Cell#parse} reads it
 * @param cyclesPerSecond each renewal counted like a cycle
 * @param acquire from asking for a lock, or from when it was to be asked for, to having it
 * @param handOff from a release to the next owner; zeros if no caller waited for another
 * @param renewal from asking for a renewal to its answer; zeros if nobody renewed
 */
record Row(
        PeerSystem system,
        int repeat,
        String cell,
        double cyclesPerSecond,
        Times acquire,
        Times cycle,
        Times handOff,
        Times renewal) {

    record Times(double p50, double p99, double p999) {
        private static final double NANOS_PER_MICRO = 1e3;

        static Times of(Histogram nanos) {
            return new Times(micros(nanos, 50), micros(nanos, 99), micros(nanos, 99.9));
        }

        private static double micros(Histogram nanos, double percentile) {
            return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
        }
    }

    static Row of(PeerSystem system, int repeat, Cell cell, Meter.Measurement measured) {
        return new Row(
                system,
                repeat,
                cell.toString(),
                measured.cyclesPerSecond(),
                Times.of(measured.acquire()),
                Times.of(measured.cycle()),
                Times.of(measured.handOff()),
                Times.of(measured.renewal()));
    }

    static String csvHead() {
        return "system,repeat,cell,cycles_per_second,acquire_p50_us,acquire_p99_us,acquire_p999_us,"
                + "cycle_p50_us,cycle_p99_us,cycle_p999_us,"
                + "hand_off_p50_us,hand_off_p99_us,hand_off_p999_us,"
                + "renewal_p50_us,renewal_p99_us,renewal_p999_us";
    }

    String csv() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%s,%.1f,%s,%s,%s,%s",
                system,
                repeat,
                cell,
                cyclesPerSecond,
                csv(acquire),
                csv(cycle),
                csv(handOff),
                csv(renewal));
    }

    private static String csv(Times times) {
        return String.format(Locale.ROOT, "%.1f,%.1f,%.1f", times.p50(), times.p99(), times.p999());
    }
}
