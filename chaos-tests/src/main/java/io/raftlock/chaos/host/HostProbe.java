package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Finds out what can be done on this machine, by doing it once and undoing it. */
public final class HostProbe {
    private final Map<Capability, String> missing = new EnumMap<>(Capability.class);
    private final Cleanup cleanup;
    private final Path folder;

    private HostProbe(Cleanup cleanup, Path folder) {
        this.cleanup = cleanup;
        this.folder = folder;
    }

    /** Tries everything. It takes some seconds, and leaves nothing behind. */
    public static Capabilities probe() {
        try {
            Path folder = Files.createTempDirectory("raftlock-probe");
            try (Cleanup cleanup = Cleanup.open(Cleanup.defaultFolder())) {
                return new HostProbe(cleanup, folder).tryAll();
            } finally {
                Folders.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is done once; it throws if it cannot be done. */
    interface Trial {
        void run() throws IOException;
    }

    private Capabilities tryAll() {
        NetworkTrials network = new NetworkTrials(cleanup);
        attempt(Capability.NAMESPACES, network::namespaces);
        after(Capability.NAMESPACES, Capability.PACKET_FILTER, network::filter);
        after(Capability.PACKET_FILTER, Capability.PACKET_DUPLICATION, network::duplicate);
        after(Capability.PACKET_FILTER, Capability.PACKET_THROTTLE, network::throttle);
        attempt(Capability.SOCKET_KILL, network::killSocket);
        attempt(Capability.SHIMS, this::shims);
        disks();
        processes();
        return new Capabilities(missing);
    }

    private void processes() {
        try (ProcessTrials trials = ProcessTrials.start(cleanup)) {
            attempt(Capability.FREEZER, trials::freeze);
            attempt(Capability.CPU_QUOTA, trials::limit);
        }
    }

    private void disks() {
        after(Capability.SHIMS, Capability.LOOP_DISKS, () -> diskTrials().cutPower());
        after(Capability.LOOP_DISKS, Capability.DISK_FREEZE, () -> diskTrials().freeze());
    }

    private DiskTrials diskTrials() {
        return new DiskTrials(cleanup, tools(), folder);
    }

    private NativeTools tools() {
        return NativeTools.compile(folder.resolve("native"));
    }

    private void shims() {
        ClockShim clock = new ClockShim(tools(), folder.resolve("clock"));
        clock.wallOffset(Duration.ofDays(100));
        String seconds =
                Programs.run(
                                Programs.BOUND,
                                List.of("date", "+%s"),
                                "",
                                Shim.environment(List.of(clock)))
                        .output()
                        .strip();
        long ahead = Long.parseLong(seconds) - System.currentTimeMillis() / 1_000;
        if (ahead < 99 * 86_400 || clock.reads() == 0) {
            throw new IllegalStateException("a library that is loaded first has no effect");
        }
    }

    private void attempt(Capability capability, Trial trial) {
        try {
            trial.run();
        } catch (IOException | RuntimeException e) {
            missing.put(capability, Reason.of(e));
        }
    }

    private void after(Capability needed, Capability capability, Trial trial) {
        if (missing.containsKey(needed)) {
            missing.put(capability, missing.get(needed));
        } else {
            attempt(capability, trial);
        }
    }
}
