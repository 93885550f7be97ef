package io.raftlock.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class NodeDiskTest {
    @Test
    void anEmptiedDiskHasItsVoteAndItsFolders(@TempDir Path folder) throws IOException {
        write(folder.resolve("log/000001.log"), 10);
        write(folder.resolve("snapshot/snapshot_7/state"), 20);
        write(folder.resolve("snapshot/temp/state"), 5);
        write(folder.resolve("meta/vote"), 3);
        NodeDisk disk = new NodeDisk(folder);
        assertThat(disk.bytes()).isEqualTo(38);
        assertThat(disk.snapshotBytes()).isEqualTo(25);
        assertThat(disk.isSnapshotUnfinished()).isTrue();

        disk.empty();

        assertThat(disk.bytes()).isEqualTo(3);
        assertThat(disk.isSnapshotUnfinished()).isFalse();
        assertThat(folder.resolve("log")).isEmptyDirectory();
        assertThat(folder.resolve("snapshot")).isEmptyDirectory();
    }

    private static void write(Path file, int bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[bytes]);
    }
}
