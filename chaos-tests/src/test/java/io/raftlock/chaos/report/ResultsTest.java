package io.raftlock.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Role;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class ResultsTest {
    private static final Schedule ONE_PAUSE =
            new Schedule(1, 3, List.of(), List.of(Step.of(0, FaultKind.PAUSE, Role.LEADER, 3_000)));

    @TempDir Path folder;

    private final Results results =
            Results.of(
                    Run.of(ExampleRun.events()),
                    ExampleRun.schedule(),
                    ExampleRun.failed(),
                    "scripts/chaos --seed 42");

    @Test
    void resultsAreTheSameWhenTheyAreReadAgain() throws IOException {
        Path file = folder.resolve("results.json");
        WholeFile.write(file, results::write);
        assertThat(Results.read(file)).isEqualTo(results);
    }

    @Test
    void theLinesOfFaultsSayHowOftenAndForHowLong() {
        assertThat(results.faults())
                .extracting(FaultLine::kind, FaultLine::times, FaultLine::proved)
                .containsExactly(tuple("KILL", 1, 1), tuple("PAUSE", 1, 1), tuple("LOSS", 1, 0));
        FaultLine kill = results.faults().get(0);
        assertThat(kill.longestGapSeconds()).isEqualTo(1.26);
        assertThat(kill.boundSeconds()).isEqualTo(7.5);
        // The pause meets the loss, and has its bound from the end of both on.
        assertThat(results.faults().get(1).boundSeconds()).isEqualTo(3 + 7.5);
    }

    @Test
    void theLongestGapIsThere() {
        assertThat(results.longestGap()).isEqualTo(new LongestGap(11.99, 1.26));
    }

    @Test
    void percentilesAreOfGrantsAskedForDuringFaults() {
        List<Event> events = new ArrayList<>();
        events.add(new Event.FaultBegan(1_000_000, 0, "PAUSE", "n1", "n1", 1));
        events.add(new Event.FaultEnded(9_000_000, 0, "PAUSE", "State: T"));
        for (int call = 1; call <= 100; call++) {
            call(events, call, 1_000_000 + call, call * 1_000_000L, Result.OK);
        }
        call(events, 101, 10_000_000, 900_000_000, Result.OK);
        call(events, 102, 2_000_000, 900_000_000, Result.FAIL);
        FaultLine pause = FaultLines.of(Run.of(events), ONE_PAUSE, 1).get(0);
        assertThat(pause.p50Millis()).isEqualTo(50);
        assertThat(pause.p99Millis()).isEqualTo(99);
    }

    @Test
    void whatNobodyAskedForHasNoLatency() {
        List<Event> events = List.of(new Event.FaultBegan(1, 0, "PAUSE", "n1", "n1", 1));
        FaultLine pause = FaultLines.of(Run.of(events), ONE_PAUSE, 1).get(0);
        assertThat(pause).isEqualTo(new FaultLine("PAUSE", 1, 0, null, 5, null, null));
    }

    @Test
    void everyCallIsCounted() {
        long counted =
                results.operations().stream()
                        .mapToLong(line -> line.ok() + line.fail() + line.info() + line.open())
                        .sum();
        assertThat(counted).isEqualTo(Run.of(ExampleRun.events()).calls().size());
        assertThat(results.operations().get(0).open()).isEqualTo(1);
    }

    private static void call(
            List<Event> events, long call, long asked, long lasted, Result result) {
        events.add(new Event.Invoked(asked, call, "c", 0, Action.LOCK, "a", 0));
        events.add(new Event.Returned(asked + lasted, call, result, call, ""));
    }
}
