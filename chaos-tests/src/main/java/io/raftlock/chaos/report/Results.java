package io.raftlock.chaos.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import io.raftlock.chaos.schedule.Schedule;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * A run in numbers, as {@code results.json} holds it.
 *
 * @param command that repeats the run
 * @param startNanos when the run began, by the clock of its events and findings
 * @param seconds from the first event to the last
 * @param longestGap null if no client asked for a lock
 */
public record Results(
        Findings findings,
        String command,
        Schedule schedule,
        long startNanos,
        double seconds,
        List<FaultLine> faults,
        List<OperationCount> operations,
        List<PhaseRate> rates,
        @Nullable LongestGap longestGap) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public Results {
        faults = List.copyOf(faults);
        operations = List.copyOf(operations);
        rates = List.copyOf(rates);
    }

    static Results of(Run run, Schedule schedule, Findings findings, String command) {
        return new Results(
                findings,
                command,
                schedule,
                run.span().fromNanos(),
                run.span().seconds(),
                FaultLines.of(run, schedule, findings.slowness()),
                Operations.counts(run.calls()),
                Operations.rates(run),
                run.gaps().longest().map(gap -> gap(run, gap)).orElse(null));
    }

    private static LongestGap gap(Run run, Span gap) {
        return new LongestGap(run.span().secondsAt(gap.fromNanos()), gap.seconds());
    }

    /**
     * Reads what a run has left.
     *
     * @throws IOException if the file is not there or holds something else
     */
    public static Results read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), Results.class);
    }

    void write(OutputStream out) throws IOException {
        out.write(JSON.writeValueAsBytes(this));
    }
}
