package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

class LoopDiskTest {
    private static final long BYTES = 32 << 20;

    @TempDir private Path folder;
    private Cleanup cleanup;
    private NativeTools tools;
    private LoopDisk disk;

    @BeforeEach
    void make() {
        Machine.needs(Capability.LOOP_DISKS);
        cleanup = Cleanup.open(Cleanup.defaultFolder());
        tools = NativeTools.compile(folder.resolve("tools"));
        Path images = LoopDisk.imageFolder(folder);
        disk = LoopDisk.create(cleanup, tools, "n1", images, folder.resolve("n1"), BYTES);
    }

    @AfterEach
    void remove() {
        if (cleanup != null) {
            cleanup.close();
        }
    }

    @Test
    void aDiskThatLosesItsPowerKeepsWhatWasSyncedAndNothingElse() throws Exception {
        Path synced = disk.folder().resolve("synced");
        Path renamed = disk.folder().resolve("renamed");
        write(synced, "kept ", true);
        syncFolder();
        write(synced, "lost", false);
        write(disk.folder().resolve("new"), "lost", false);
        Files.move(synced, renamed);

        disk.powerOff();
        assertThatThrownBy(() -> write(renamed, "more", true))
                .isInstanceOf(UncheckedIOException.class);
        disk.remount();

        assertThat(synced).hasContent("kept ");
        assertThat(renamed).doesNotExist();
        assertThat(disk.folder().resolve("new")).doesNotExist();
        write(synced, "and goes on", true);
        assertThat(synced).hasContent("kept and goes on");
    }

    @Test
    void aDiskThatIsStillInUseIsNotUnmounted() throws Exception {
        try (FileChannel open =
                FileChannel.open(
                        disk.folder().resolve("file"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE)) {
            assertThat(open.isOpen()).isTrue();
            Duration bound = Duration.ofMillis(200);
            assertThatThrownBy(() -> TearDown.unmount(disk.folder(), bound))
                    .hasMessageContaining("nobody uses " + disk.folder());
        }
    }

    @Test
    void aFrozenDiskStallsASyncUntilItIsThawed() throws Exception {
        Machine.needs(Capability.DISK_FREEZE);
        Path file = disk.folder().resolve("file");
        write(file, "before", true);
        disk.freeze();
        CompletableFuture<Void> sync = CompletableFuture.runAsync(() -> write(file, "x", true));
        Thread.sleep(400);
        assertThat(sync).isNotDone();
        disk.thaw();
        assertThat(sync).succeedsWithin(5, TimeUnit.SECONDS);
    }

    @Test
    void theToolThatCutsThePowerRefusesWhateverIsNoDiskOfARun() {
        for (Path path : List.of(folder, Path.of("/"), Path.of("/tmp"))) {
            List<String> command = List.of(tools.godown().toString(), path.toString());
            assertThat(Programs.attempt(command).exitCode()).isEqualTo(3);
        }
    }

    @Test
    void aClosedDiskLeavesNoTrace() throws Exception {
        disk.close();
        assertThat(Mounts.on(disk.folder())).isEmpty();
        try (var images = Files.list(LoopDisk.imageFolder(folder))) {
            assertThat(images).noneMatch(file -> file.toString().contains(cleanup.runId()));
        }
    }

    private void syncFolder() throws IOException {
        try (FileChannel channel = FileChannel.open(disk.folder(), StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void write(Path file, String text, boolean sync) {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap(text.getBytes()));
            if (sync) {
                channel.force(true);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
