package io.raftlock.chaos.run;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Part;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Feels whether the machine itself goes on under a run: one thread sleeps for moments and looks how
 * late it wakes, another one has a few bytes synced. Each stall is an event.
 *
 * <p>No fault of a run may stall it, or faults would excuse themselves. Those of disks are in file
 * systems of the nodes' own, on loop devices that are mounted further down in the folder, or in a
 * library that is loaded into the processes of nodes only; the file of this lies in the run's
 * folder itself, on the host's file system, and the harness writes it. Pauses, freezers, quotas and
 * false clocks are for single processes, and never for the harness. A starved node may keep the
 * journal of the host's file system for a period of its quota, which is 100 ms and less than counts
 * here.
 *
 * <p>What holds up the harness alone, such as its garbage collector, counts too: the store and the
 * proxies that clients depend on are in it. Nodes write their journals and logs beside this file,
 * so a disk that holds it up holds them up, wherever their own disks are.
 */
final class Pulse {
    static final String FILE = "pulse";

    /** Kind of the note that the disk is not felt any more. */
    static final String KIND = "pulse";

    private static final int BYTES = 4 << 10;
    private static final long SLEEP_NANOS = 10_000_000;
    private static final long LATE_NANOS = 150_000_000;
    private static final long BETWEEN_SYNCS_NANOS = 100_000_000;
    private static final long LONG_SYNC_NANOS = 250_000_000;
    private static final long STOP_MILLIS = 2_000;

    private final Path file;
    private final Consumer<Event> events;
    private final Beat sleep;
    private final Beat sync;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread sleeper = new Thread(this::keepSleeping, "pulse-sleep");
    private final Thread syncer = new Thread(this::keepSyncing, "pulse-sync");

    private Pulse(Path folder, Consumer<Event> events) {
        file = folder.resolve(FILE);
        this.events = events;
        sleep =
                new Beat(
                        new Beat.Limits(Part.PROCESSORS, SLEEP_NANOS, LATE_NANOS),
                        System::nanoTime,
                        events);
        sync = new Beat(new Beat.Limits(Part.DISK, 0, LONG_SYNC_NANOS), System::nanoTime, events);
    }

    /**
     * Starts it.
     *
     * @param folder of the run
     * @param events told of stalls, by several threads
     */
    static Pulse start(Path folder, Consumer<Event> events) {
        Pulse pulse = new Pulse(folder, events);
        pulse.sleeper.setDaemon(true);
        pulse.syncer.setDaemon(true);
        pulse.sleeper.start();
        pulse.syncer.start();
        return pulse;
    }

    /**
     * Stops it. A sync that does not come back is a stall up to now, and is left to itself: nothing
     * ends one.
     */
    void stop() {
        stopped.countDown();
        try {
            sleeper.join(STOP_MILLIS);
            syncer.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sleep.end();
        sync.end();
    }

    private boolean isStoppedWithin(long nanos) throws InterruptedException {
        return stopped.await(nanos, TimeUnit.NANOSECONDS);
    }

    private void keepSleeping() {
        try {
            while (stopped.getCount() > 0) {
                sleep.time(() -> isStoppedWithin(SLEEP_NANOS));
            }
        } catch (IOException e) {
            throw new IllegalStateException("to sleep is no I/O", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void keepSyncing() {
        try {
            syncUntilStopped();
            Files.delete(file);
        } catch (IOException e) {
            if (stopped.getCount() > 0) {
                events.accept(
                        new Event.Noted(System.nanoTime(), KIND, file.toString(), e.toString()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void syncUntilStopped() throws IOException, InterruptedException {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            while (!isStoppedWithin(BETWEEN_SYNCS_NANOS)) {
                sync.time(() -> overwrite(channel, bytes));
            }
        }
    }

    /** Always in the same place: the file does not grow. */
    private static void overwrite(FileChannel channel, ByteBuffer bytes) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining()) {
            channel.write(bytes, bytes.position());
        }
        channel.force(true);
    }
}
