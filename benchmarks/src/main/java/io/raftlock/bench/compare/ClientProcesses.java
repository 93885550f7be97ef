package io.raftlock.bench.compare;

import io.raftlock.bench.load.Cell;
import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.load.MeasurementText;
import io.raftlock.bench.load.Meter.Measurement;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Jdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The callers of one cell, each a {@link ClientProcess}. They are warmed up together and measured
 * over the same time, and what they measured is added up. Owned by one thread.
 */
final class ClientProcesses {
    /** The longest time that they may take beside warm-up and measurement. */
    static final Duration SPARE = Duration.ofMinutes(2);

    private final PeerSystem system;
    private final List<String> endpoints;
    private final Cell cell;

    /** One of them, and what it writes. */
    private record Started(int number, Process process, BufferedReader lines) {}

    ClientProcesses(PeerSystem system, List<String> endpoints, Cell cell) {
        this.system = system;
        this.endpoints = List.copyOf(endpoints);
        this.cell = cell;
    }

    /**
     * Runs them.
     *
     * @throws LoadFailure if one of them fails, or if it takes too long
     */
    Measurement run(Duration warmUp, Duration measured) throws IOException, InterruptedException {
        List<Started> all = new ArrayList<>();
        try {
            for (int number = 1; number <= cell.callers(); number++) {
                all.add(start(number, measured));
            }
            try (Bound bound = new Bound(SPARE.plus(warmUp).plus(measured), () -> end(all))) {
                Measurement result = Measurement.merged(measurements(all, warmUp, bound));
                System.err.printf("  %s: %,.0f cycles/s%n", cell, result.cyclesPerSecond());
                return result;
            }
        } finally {
            end(all);
            for (Started each : all) {
                each.process.waitFor();
                each.lines.close();
            }
        }
    }

    private static List<Measurement> measurements(List<Started> all, Duration warmUp, Bound bound)
            throws IOException {
        for (Started each : all) {
            awaitLine(each, ClientProcess.READY, bound);
        }
        long startMillis = System.currentTimeMillis() + warmUp.toMillis();
        for (Started each : all) {
            each.process.outputWriter().append(startMillis + "\n").flush();
        }
        List<Measurement> found = new ArrayList<>();
        for (Started each : all) {
            found.add(MeasurementText.parse(awaitLine(each, ClientProcess.MEASURED, bound)));
        }
        return found;
    }

    private static String awaitLine(Started one, String beginning, Bound bound) throws IOException {
        for (String line = one.lines.readLine(); line != null; line = one.lines.readLine()) {
            if (line.startsWith(beginning)) {
                return line.substring(beginning.length());
            }
            if (line.startsWith(Worker.FAILURE)) {
                throw new LoadFailure(
                        "client process %d: %s"
                                .formatted(one.number, line.substring(Worker.FAILURE.length())));
            }
        }
        throw new LoadFailure(
                "client process %d %s before it was %s"
                        .formatted(
                                one.number,
                                bound.passed() ? "took too long" : "ended",
                                beginning.strip()));
    }

    private static void end(List<Started> all) {
        all.forEach(each -> each.process.destroyForcibly());
    }

    private Started start(int number, Duration measured) throws IOException {
        Process process =
                new ProcessBuilder(
                                Jdk.java(
                                        List.of("-Xmx256m"),
                                        ClientProcess.class.getName(),
                                        List.of(
                                                "--system=" + system,
                                                "--endpoints=" + String.join(",", endpoints),
                                                "--number=" + number,
                                                "--measure-millis=" + measured.toMillis())))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        return new Started(number, process, process.inputReader(StandardCharsets.UTF_8));
    }
}
