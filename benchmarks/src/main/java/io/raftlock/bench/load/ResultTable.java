package io.raftlock.bench.load;

import org.HdrHistogram.Histogram;

import java.util.Locale;

/** The table of results as text, a line for each cell. */
final class ResultTable {
    private static final double NANOS_PER_MILLI = 1e6;

    private ResultTable() {}

    static String head() {
        return """
                                      acquire, ms       acquire + release, ms
                mode      callers  cycles/s      p50      p99      p50      p99
                """
                .stripTrailing();
    }

    static String line(Cell cell, Meter.Measurement result) {
        return String.format(
                Locale.ROOT,
                "%-8s  %7d  %,8.0f %8.2f %8.2f %8.2f %8.2f",
                cell.mode().label(),
                cell.callers(),
                result.cyclesPerSecond(),
                millis(result.acquire(), 50),
                millis(result.acquire(), 99),
                millis(result.cycle(), 50),
                millis(result.cycle(), 99));
    }

    private static double millis(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }
}
