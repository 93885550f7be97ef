package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A disk for one node: an ext4 file system in a file. Its power can be cut, which takes all that
 * was not synced; and it can stand still. Owned by one thread.
 *
 * <p>All who use the disk have to live in this process's mount namespace, or else its file system
 * outlives its unmounting: programs are put into network namespaces by {@code nsenter --net} and
 * never by {@code ip netns exec}, which makes a mount namespace too.
 */
public final class LoopDisk implements AutoCloseable {
    static final String IMAGE_SUFFIX = ".img";
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration MOUNT_BOUND = Duration.ofSeconds(3);
    private static final long PAUSE_NANOS = 50_000_000;

    private final NativeTools tools;
    private final Path image;
    private final Path folder;

    private LoopDisk(NativeTools tools, Path image, Path folder) {
        this.tools = tools;
        this.image = image;
        this.folder = folder;
    }

    /** Returns a folder in memory for images of disks if there is one, or else this one. */
    public static Path imageFolder(Path otherwise) {
        boolean inMemory =
                Files.isWritable(MEMORY)
                        && Mounts.on(MEMORY).filter(m -> m.type().equals("tmpfs")).isPresent();
        return inMemory ? MEMORY : otherwise;
    }

    /**
     * Makes a disk and mounts it.
     *
     * @param name of the disk, by which its image is called
     * @param images folder that the image is put in
     * @param folder on which it is mounted, and which is made if it is not there
     * @param bytes that it is large, of which a part is for the file system itself
     */
    public static LoopDisk create(
            Cleanup cleanup, NativeTools tools, String name, Path images, Path folder, long bytes) {
        Path image = images.toAbsolutePath().resolve(cleanup.nameFor(name) + IMAGE_SUFFIX);
        Path mountPoint = folder.toAbsolutePath().normalize();
        LoopDisk disk = new LoopDisk(tools, image, mountPoint);
        cleanup.add(Leftover.file(image));
        try {
            Files.createDirectories(mountPoint);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                file.setLength(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Programs.check(List.of("mkfs.ext4", "-q", "-F", "-m", "0", image.toString()));
        cleanup.add(Leftover.mount(mountPoint));
        disk.mount();
        return disk;
    }

    /** Returns the folder on which it is mounted. */
    public Path folder() {
        return folder;
    }

    /**
     * Cuts the power: all I/O fails from now on, and what was not synced is lost. Processes are to
     * be killed after this, not before, for what they wrote survives them.
     */
    public void powerOff() {
        Programs.check(List.of(tools.godown().toString(), folder.toString()));
    }

    /**
     * Gives the disk power again. Nobody may use it when this is called.
     *
     * @throws IllegalStateException if somebody still does after some seconds
     */
    public void remount() {
        TearDown.unmount(folder, BOUND);
        mount();
    }

    /** Lets the disk stand still: writes and syncs wait until it is thawed. */
    public void freeze() {
        Programs.check(List.of("fsfreeze", "-f", folder.toString()));
    }

    /** Ends a freeze. */
    public void thaw() {
        Programs.check(List.of("fsfreeze", "-u", folder.toString()));
    }

    /** Removes the disk, and all that is on it. Nobody may use it then. */
    @Override
    public void close() {
        TearDown.remove(Leftover.mount(folder));
        TearDown.remove(Leftover.file(image));
    }

    // The loop device of the mount before may go away in the very moment it is chosen again.
    private void mount() {
        List<String> command =
                List.of("mount", "-o", "loop,noatime", image.toString(), folder.toString());
        long deadline = System.nanoTime() + MOUNT_BOUND.toNanos();
        Programs.Result result = Programs.attempt(command);
        while (result.exitCode() != 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(PAUSE_NANOS);
            result = Programs.attempt(command);
        }
        if (result.exitCode() != 0 || !isMounted()) {
            throw new ProgramFailedException(
                    command, "exit code " + result.exitCode(), result.output());
        }
        mustTakeWrites();
    }

    private boolean isMounted() {
        return Mounts.on(folder).filter(Mounts.Mount::isLoop).isPresent();
    }

    private void mustTakeWrites() {
        try {
            Files.delete(Files.createTempFile(folder, "power", ""));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "a process in another mount namespace keeps the disk as it was: " + folder, e);
        }
    }
}
