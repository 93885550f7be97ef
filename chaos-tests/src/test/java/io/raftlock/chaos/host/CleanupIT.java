package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs that end, by themselves and not. */
class CleanupIT {
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
