package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.FsShim;
import io.raftlock.chaos.host.LoopDisk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Faults of the nodes' disks. Owned by the driver's thread. */
final class DiskFaults {
    private static final String WITNESS = "witness";

    private DiskFaults() {}

    /** Syncs take longer. */
    static Active slow(List<Gear> gears, Duration delay) {
        return new Shimmed(
                gears,
                shim -> shim.syncDelay(delay),
                counts -> counts.syncsDelayed(),
                "syncs were late");
    }

    /** Syncs fail, at which a node ends itself. */
    static Active syncErrors(List<Gear> gears) {
        return excused(
                gears,
                new Shimmed(
                        gears,
                        shim -> shim.failSyncs(100),
                        counts -> counts.syncsFailed(),
                        "syncs failed"));
    }

    /** Writes find no space, at which a node ends itself. */
    static Active full(List<Gear> gears) {
        return excused(
                gears,
                new Shimmed(
                        gears,
                        shim -> shim.noSpace(100),
                        counts -> counts.writesFailed(),
                        "writes failed"));
    }

    /** Writes wait until the end: on the disk if it has one of its own, or else in the process. */
    static Active stall(Gear gear, Duration hold) {
        return gear.disk().isPresent() ? new Frozen(gear.disk().get()) : slow(List.of(gear), hold);
    }

    /**
     * Takes the power from machines: from the processors, from the disks, and then the processes
     * are ended. They must not run while their disks are off: a sync that this overtakes may come
     * back as if it had succeeded, and they would acknowledge what a machine without power cannot.
     * They must not be ended before: the machine would write what it still has of theirs.
     */
    static Active powerCut(List<Gear> gears, ProcessFaults processes) {
        processes.halt(victims(gears));
        gears.forEach(gear -> gear.requireDisk().powerOff());
        Active killed = ProcessFaults.kill(victims(gears), () -> remount(gears));
        return () -> {
            String proof = killed.end();
            return proof.isEmpty() ? "" : "cut the power of the disks, and " + proof;
        };
    }

    /** The disk fails for good under a process that runs, until another disk takes its place. */
    static Active dead(List<Gear> gears) {
        victims(gears).forEach(victim -> victim.mayEnd(true));
        gears.forEach(gear -> gear.requireDisk().powerOff());
        return () -> {
            String proof = gears.stream().allMatch(DiskFaults::fails) ? "all I/O failed" : "";
            victims(gears).stream().filter(Victim::isRunning).forEach(Victim::kill);
            remount(gears);
            victims(gears).stream().filter(victim -> !victim.isRunning()).forEach(Victim::start);
            victims(gears).forEach(victim -> victim.mayEnd(false));
            return proof;
        };
    }

    private static boolean fails(Gear gear) {
        try {
            write(gear.requireDisk().folder().resolve(WITNESS));
            return false;
        } catch (IOException dead) {
            return true;
        }
    }

    private static void remount(List<Gear> gears) {
        gears.forEach(gear -> gear.requireDisk().remount());
    }

    private static Active excused(List<Gear> gears, Active fault) {
        victims(gears).forEach(victim -> victim.mayEnd(true));
        return () -> {
            String proof = fault.end();
            victims(gears).forEach(victim -> victim.mayEnd(false));
            return proof;
        };
    }

    private static List<Victim> victims(List<Gear> gears) {
        return gears.stream().map(Gear::victim).toList();
    }

    private static void write(Path file) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private static final class Shimmed implements Active {
        private final List<FsShim> shims;
        private final ToLongFunction<FsShim.Counts> count;
        private final String what;
        private final long before;

        Shimmed(
                List<Gear> gears,
                Consumer<FsShim> change,
                ToLongFunction<FsShim.Counts> count,
                String what) {
            shims = gears.stream().map(Gear::requireFiles).toList();
            this.count = count;
            this.what = what;
            before = sum();
            shims.forEach(change);
        }

        private long sum() {
            return shims.stream().mapToLong(shim -> count.applyAsLong(shim.counts())).sum();
        }

        @Override
        public String end() {
            shims.forEach(FsShim::heal);
            long times = sum() - before;
            return times > 0 ? times + " " + what : "";
        }
    }

    /** A disk that stands still; a file that is written on it meanwhile shows for how long. */
    private static final class Frozen implements Active {
        private static final long LEAST_MILLIS = 100;

        private final LoopDisk disk;
        private final CompletableFuture<Long> written;

        Frozen(LoopDisk disk) {
            this.disk = disk;
            disk.freeze();
            written = CompletableFuture.supplyAsync(this::timeOfWriting);
        }

        private long timeOfWriting() {
            long start = System.nanoTime();
            try {
                write(disk.folder().resolve(WITNESS));
            } catch (IOException failed) {
                return 0;
            }
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        }

        @Override
        public String end() {
            disk.thaw();
            long millis = written.completeOnTimeout(0L, 5, TimeUnit.SECONDS).join();
            return millis > LEAST_MILLIS ? "a write took " + millis + " ms" : "";
        }
    }
}
