package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

class PulseTest {
    @TempDir private Path folder;

    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    @Test
    void aPulseThatIsStoppedLeavesNothingInTheFolder() {
        Pulse.start(folder, events::add).stop();
        assertThat(folder).isEmptyDirectory();
        assertThat(events).noneMatch(Event.Noted.class::isInstance);
    }

    @Test
    void aFolderThatTakesNoFileIsNoted() throws Exception {
        Files.createDirectory(folder.resolve(Pulse.FILE));
        Pulse pulse = Pulse.start(folder, events::add);
        Event noted;
        do {
            noted = events.poll(30, TimeUnit.SECONDS);
        } while (noted instanceof Event.MachineStalled);
        pulse.stop();
        assertThat(noted)
                .isInstanceOfSatisfying(
                        Event.Noted.class, note -> assertThat(note.kind()).isEqualTo(Pulse.KIND))
                .isInstanceOfSatisfying(
                        Event.Noted.class, note -> assertThat(Judge.isComplaint(note)).isFalse());
    }
}
