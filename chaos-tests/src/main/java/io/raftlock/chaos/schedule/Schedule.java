package io.raftlock.chaos.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What a run does, whole: with the same schedule another cluster is treated the same.
 *
 * @param seed of what the clients do, and of what the faults leave open
 * @param nodes of the cluster
 * @param clients what each client process does, by names of workload mixes
 */
public record Schedule(long seed, int nodes, List<String> clients, List<Step> steps) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    public Schedule {
        clients = List.copyOf(clients);
        steps = List.copyOf(steps);
    }

    /** The same with other steps. */
    public Schedule with(List<Step> others) {
        return new Schedule(seed, nodes, clients, others);
    }

    /** The same with the steps of these kinds alone, each when it was to be. */
    public Schedule only(Set<FaultKind> kinds) {
        List<Step> kept = new ArrayList<>();
        int skippedMillis = 0;
        for (Step step : steps) {
            if (kinds.contains(step.kind())) {
                kept.add(step.after(skippedMillis + step.afterMillis()));
                skippedMillis = 0;
            } else {
                skippedMillis += step.afterMillis();
            }
        }
        return with(kept);
    }

    /** Returns when the last fault ends, from the beginning of the schedule. */
    public long lengthMillis() {
        long begins = 0;
        long end = 0;
        for (Step step : steps) {
            begins += step.afterMillis();
            end = Math.max(end, begins + step.holdMillis());
        }
        return end;
    }

    /**
     * Reads a schedule.
     *
     * @throws IOException if the file is not there or is no schedule
     */
    public static Schedule read(Path file) throws IOException {
        return parse(Files.readString(file));
    }

    /**
     * Returns what {@link #json} has written.
     *
     * @throws IOException if the text is no schedule
     */
    public static Schedule parse(String json) throws IOException {
        return JSON.readValue(json, Schedule.class);
    }

    public void write(Path file) throws IOException {
        Files.writeString(file, json());
    }

    /** Returns the schedule as {@link #read} takes it. */
    public String json() {
        try {
            return JSON.writeValueAsString(this) + '\n';
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a schedule is plain data", impossible);
        }
    }
}
