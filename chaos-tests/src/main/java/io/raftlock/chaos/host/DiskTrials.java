package io.raftlock.chaos.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Does what can be done to a disk, once, to a small one. */
final class DiskTrials {
    private static final Path LOOP_DEVICES = Path.of("/dev/loop-control");
    private static final long BYTES = 16 << 20;

    private final Cleanup cleanup;
    private final NativeTools tools;
    private final Path folder;

    DiskTrials(Cleanup cleanup, NativeTools tools, Path folder) {
        this.cleanup = cleanup;
        this.tools = tools;
        this.folder = folder;
    }

    void cutPower() throws IOException {
        // What mount says when it must not have a loop device does not tell why.
        Files.newByteChannel(LOOP_DEVICES).close();
        try (LoopDisk disk = disk()) {
            disk.powerOff();
            mustTakeNothing(disk);
            disk.remount();
        }
    }

    void freeze() {
        try (LoopDisk disk = disk()) {
            disk.freeze();
            disk.thaw();
        }
    }

    private LoopDisk disk() {
        return LoopDisk.create(
                cleanup,
                tools,
                "trial",
                LoopDisk.imageFolder(folder),
                folder.resolve("disk"),
                BYTES);
    }

    private static void mustTakeNothing(LoopDisk disk) {
        try {
            Files.writeString(disk.folder().resolve("file"), "after the end");
        } catch (IOException asItHasToBe) {
            return;
        }
        throw new IllegalStateException("a disk without power takes writes");
    }
}
