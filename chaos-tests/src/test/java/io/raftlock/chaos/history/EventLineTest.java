package io.raftlock.chaos.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.raftlock.chaos.history.Event.Part;

import org.junit.jupiter.api.Test;

import java.util.List;

class EventLineTest {
    private static final List<Event> ONE_OF_EACH =
            List.of(
                    new Event.Invoked(1, 2, "c1.1", 3, Event.Action.TIMED_LOCK, "a/1", 4),
                    new Event.Returned(1, 2, Event.Result.INFO, 3, "say \"no\"\n"),
                    new Event.Believed(1, 2, true, false),
                    new Event.SessionSeen(1, "c1.1", "OPEN", 77, ""),
                    new Event.ClientStarted(1, "c1", "c1.1", "MUTEX", 4711),
                    new Event.ClientEnded(1, "c1", "c1.1", 137),
                    new Event.Stored(1, "c1.1", "a/1", Event.StoreAction.WRITE, 2, 3, 4, 5, true),
                    new Event.NodeStarted(1, "n1", 2, 4712),
                    new Event.NodeEnded(1, "n1", 2, 137, true),
                    new Event.NodeSeen(1, "n1", "LEADER", 2, "n1", 3, "d", 4, 5, 6),
                    new Event.FaultBegan(1, 2, "KILL", "n1", "n1", 3),
                    new Event.FaultEnded(1, 2, "KILL", "é"),
                    new Event.PhaseBegan(1, Event.Phase.FAULTS),
                    new Event.MachineStalled(1, Part.DISK, 260_000_000),
                    new Event.Noted(1, "read", "c1.1", "é"));

    @Test
    void eachKindOfEventComesBackAsItWas() throws JsonProcessingException {
        assertThat(ONE_OF_EACH)
                .extracting(Event::getClass)
                .map(type -> (Object) type)
                .containsExactlyInAnyOrder((Object[]) Event.class.getPermittedSubclasses());
        for (Event event : ONE_OF_EACH) {
            String line = EventLine.of(event);
            assertThat(line).doesNotContain("\n");
            assertThat(EventLine.parse(line)).isEqualTo(event);
        }
    }

    @Test
    void aStallIsReadAsItWasWrittenWhenItWasNew() throws JsonProcessingException {
        String line =
                "{\"event\":\"machine-stalled\",\"atNanos\":7,\"what\":\"PROCESSORS\",\"nanos\":9}";
        Event stall = new Event.MachineStalled(7, Part.PROCESSORS, 9);
        assertThat(EventLine.of(stall)).isEqualTo(line);
        assertThat(EventLine.parse(line)).isEqualTo(stall);
    }
}
