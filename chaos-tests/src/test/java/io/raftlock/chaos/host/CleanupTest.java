package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class CleanupTest {
    @TempDir private Path folder;

    @Test
    void whatAKilledRunLeftIsRemovedByTheNextAndNotBefore() throws Exception {
        needs();
        Path state = folder.resolve("state");
        try (ChildJvm harness = harness(state)) {
            String[] said = harness.answer().split(" ");
            String runId = said[0];
            long user = Long.parseLong(said[1]);
            assertThat(traces(runId)).hasSize(4);

            assertThat(Cleanup.afterCrash(state)).isEmpty();
            assertThat(traces(runId)).as("its process lives").hasSize(4);
            assertThat(ProcessIdentity.of(user)).isPresent();

            harness.kill();
            assertThat(traces(runId)).hasSize(4);
            assertThat(Cleanup.afterCrash(state)).isEmpty();
            assertThat(traces(runId)).isEmpty();
            assertThat(ProcessIdentity.of(user)).isEmpty();
            assertThat(state).isEmptyDirectory();
        }
    }

    @Test
    void aRunThatEndsByItselfLeavesNothing() throws Exception {
        needs();
        Path state = folder.resolve("state");
        try (ChildJvm harness = harness(state)) {
            String runId = harness.answer().split(" ")[0];
            harness.tell("end");
            harness.awaitEnd();
            assertThat(traces(runId)).isEmpty();
            assertThat(state).isEmptyDirectory();
        }
    }

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

    private ChildJvm harness(Path state) {
        return ChildJvm.start(
                Harness.class,
                List.of(),
                List.of(),
                Map.of(),
                List.of(state.toString(), folder.toString()));
    }

    private static void needs() {
        Machine.needs(
                Capability.NAMESPACES,
                Capability.LOOP_DISKS,
                Capability.FREEZER,
                Capability.DISK_FREEZE);
    }

    /** Returns what is on this machine under the run's name, and its disk. */
    private List<String> traces(String runId) throws IOException {
        List<String> traces = new ArrayList<>();
        for (Path place :
                List.of(
                        Path.of("/run/netns"),
                        Cgroups.own("freezer"),
                        LoopDisk.imageFolder(Path.of("/tmp")))) {
            try (Stream<Path> files = Files.list(place)) {
                files.filter(file -> file.getFileName().toString().contains(runId))
                        .forEach(file -> traces.add(file.toString()));
            }
        }
        Mounts.on(folder.resolve("disk")).ifPresent(mount -> traces.add(mount.path()));
        return traces;
    }
}
