package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.MachineStalled;
import io.raftlock.chaos.history.Event.Part;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

class BeatTest {
    private final List<Event> events = new ArrayList<>();
    private long now = 1_000;
    private final Beat beat =
            new Beat(new Beat.Limits(Part.PROCESSORS, 10, 150), () -> now, events::add);

    private void take(long nanos) throws Exception {
        beat.time(() -> now += nanos);
    }

    @Test
    void whatTakesItsUsualTimeAndALittleMoreIsNoStall() throws Exception {
        take(10);
        take(160);
        take(3);
        assertThat(events).isEmpty();
    }

    @Test
    void aStallBeginsWhenTheThingShouldHaveBeenDone() throws Exception {
        take(161);
        take(10);
        take(310);
        assertThat(events)
                .containsExactly(
                        new MachineStalled(1_010, Part.PROCESSORS, 151),
                        new MachineStalled(1_181, Part.PROCESSORS, 300));
    }

    @Test
    void whatFailsLateIsAStallToo() {
        assertThatThrownBy(
                        () ->
                                beat.time(
                                        () -> {
                                            now += 500;
                                            throw new IOException("no disk");
                                        }))
                .hasMessage("no disk");
        assertThat(events).hasSize(1);
    }

    @Test
    void whatHasNotComeBackAtTheEndIsNotedOnce() throws Exception {
        beat.time(
                () -> {
                    now += 400;
                    beat.end();
                    now += 5_000;
                });
        beat.end();
        assertThat(events).containsExactly(new MachineStalled(1_010, Part.PROCESSORS, 390));
    }
}
