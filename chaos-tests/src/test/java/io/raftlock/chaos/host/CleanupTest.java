package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class CleanupTest {
    @TempDir private Path folder;

    @Test
    void aProcessThatOnlyHasTheIdOfAnotherIsNotEnded() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            TearDown.remove(
                    Leftover.process(new ProcessIdentity(process.pid(), "long ago@elsewhere")));
            assertThat(process.isAlive()).isTrue();
            TearDown.remove(Leftover.process(ProcessIdentity.of(process.pid()).orElseThrow()));
            assertThat(process.waitFor()).isEqualTo(137);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void whatDoesNotLookAsIfARunHadMadeItIsNotRemoved() throws Exception {
        Path file = Files.createFile(folder.resolve("precious"));
        Path group = Path.of("/sys/fs/cgroup/freezer/others");
        for (Leftover other :
                List.of(
                        Leftover.file(file),
                        Leftover.namespace("others"),
                        Leftover.cgroup(group),
                        Leftover.mount(Path.of("/")))) {
            assertThatThrownBy(() -> TearDown.remove(other))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThat(file).exists();
    }

    @Test
    void aRunThatIsClosedTakesNothingMore() {
        Cleanup cleanup = Cleanup.open(folder);
        cleanup.close();
        assertThatThrownBy(() -> cleanup.namespace("late")).hasCauseInstanceOf(IOException.class);
        cleanup.close();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aLineIsReadBackAsItWasWritten() {
        Leftover leftover = Leftover.process(ProcessIdentity.ofThis());
        assertThat(Leftover.parse(leftover.line())).isEqualTo(leftover);
        assertThatThrownBy(() -> Leftover.namespace("a\tb"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
