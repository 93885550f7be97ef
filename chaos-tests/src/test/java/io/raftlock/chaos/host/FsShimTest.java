package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class FsShimTest {
    @TempDir private Path folder;

    @Test
    void syncsAndWritesOfOneFolderAreSlowOrFailAndAreCounted() throws Exception {
        Machine.needs(Capability.SHIMS);
        Path data = Files.createDirectory(folder.resolve("data"));
        Path meant = data.resolve("file");
        Path other = Files.createDirectory(folder.resolve("data2")).resolve("file");
        NativeTools tools = NativeTools.compile(folder.resolve("tools"));
        FsShim shim = new FsShim(tools, folder.resolve("control"), data);
        try (ChildJvm child = ChildJvm.withShims(shim)) {
            assertThat(child.ask("sync " + meant)).startsWith("ok");
            assertThat(child.ask("sync " + other)).startsWith("ok");
            assertThat(shim.counts()).isEqualTo(new FsShim.Counts(1, 0, 0, 0));

            shim.syncDelay(Duration.ofMillis(200));
            assertThat(millis(child.ask("sync " + meant))).isGreaterThanOrEqualTo(200);
            assertThat(millis(child.ask("append " + meant))).isLessThan(200);
            assertThat(shim.counts()).isEqualTo(new FsShim.Counts(2, 1, 0, 0));

            shim.heal();
            shim.failSyncs(100);
            assertThat(child.ask("sync " + meant)).isEqualTo("Input/output error");
            assertThat(child.ask("sync " + other)).startsWith("ok");
            assertThat(shim.counts()).isEqualTo(new FsShim.Counts(3, 1, 1, 0));

            shim.heal();
            shim.noSpace(100);
            assertThat(child.ask("append " + meant)).isEqualTo("No space left on device");
            assertThat(child.ask("append " + other)).startsWith("ok");
            assertThat(shim.counts()).isEqualTo(new FsShim.Counts(3, 1, 1, 1));

            shim.heal();
            assertThat(child.ask("sync " + meant)).startsWith("ok");
            assertThat(shim.counts().faults()).isEqualTo(3);
        }
        assertThat(meant).hasContent("line\n".repeat(5));
    }

    @Test
    void aPartOfTheSyncsFailsIfThatIsAskedFor() throws Exception {
        Machine.needs(Capability.SHIMS);
        NativeTools tools = NativeTools.compile(folder.resolve("tools"));
        FsShim shim = new FsShim(tools, folder.resolve("control"), folder);
        shim.failSyncs(30);
        try (ChildJvm child = ChildJvm.withShims(shim)) {
            for (int i = 0; i < 300; i++) {
                child.ask("sync " + folder.resolve("file"));
            }
        }
        assertThat(shim.counts().syncsSeen()).isEqualTo(300);
        assertThat(shim.counts().syncsFailed()).isBetween(55L, 125L);
    }

    private static long millis(String answer) {
        assertThat(answer).startsWith("ok ");
        return Long.parseLong(answer.substring(3));
    }
}
