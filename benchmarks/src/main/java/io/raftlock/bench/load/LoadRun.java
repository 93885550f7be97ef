package io.raftlock.bench.load;

import io.raftlock.bench.peer.Peer;

import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Runs one cell: warm-up, measurement, and an orderly end. */
public final class LoadRun {
    private static final Duration PROGRESS = Duration.ofSeconds(2);
    private static final Duration END_BOUND = Duration.ofSeconds(30);

    private final Cell cell;
    private final Meter meter = new Meter();
    private final PrintStream progress;

    /** How long callers run before they are measured. */
    public interface WarmUp {
        void await() throws InterruptedException;
    }

    public LoadRun(Cell cell, PrintStream progress) {
        this.cell = cell;
        this.progress = progress;
    }

    /**
     * Runs it.
     *
     * @param clients that the callers are spread over
     * @throws LoadFailure if a caller fails or does not come to an end
     */
    public Meter.Measurement run(List<Peer> clients, Duration warmUp, Duration measured)
            throws InterruptedException {
        return run(clients, () -> watch("warm-up", warmUp), measured);
    }

    /**
     * As the other, with a warm-up that is over when it returns.
     *
     * @throws LoadFailure if a caller fails or does not come to an end
     */
    public Meter.Measurement run(List<Peer> clients, WarmUp warmUp, Duration measured)
            throws InterruptedException {
        Callers callers = Callers.of(cell, clients, meter);
        callers.start();
        warmUp.await();
        meter.startMeasuring();
        watch("measured", measured);
        Meter.Measurement result = meter.endMeasuring();
        meter.stop();
        boolean ended = callers.awaitEnd(END_BOUND);
        if (meter.failure().isPresent()) {
            throw new LoadFailure("a caller failed", meter.failure().get());
        }
        if (!ended) {
            throw new LoadFailure("a cycle did not end within " + END_BOUND.toSeconds() + " s");
        }
        clients.forEach(Peer::forgetLocks);
        return result;
    }

    private void watch(String phase, Duration lasting) throws InterruptedException {
        long start = System.nanoTime();
        long lastCount = meter.count();
        long lastNanos = start;
        long left = lasting.toNanos();
        while (left > 0 && !meter.stopping()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, PROGRESS.toNanos()));
            long now = System.nanoTime();
            long count = meter.count();
            report(phase, now - start, (count - lastCount) * 1e9 / (now - lastNanos));
            lastCount = count;
            lastNanos = now;
            left = lasting.toNanos() - (now - start);
        }
    }

    private void report(String phase, long nanos, double perSecond) {
        progress.println(
                String.format(
                        Locale.ROOT,
                        "  %-8s %5d  %-8s %3d s  %,9.0f %s/s",
                        cell.mode().label(),
                        cell.callers(),
                        phase,
                        Math.round(nanos / 1e9),
                        perSecond,
                        cell.mode().unit()));
    }
}
