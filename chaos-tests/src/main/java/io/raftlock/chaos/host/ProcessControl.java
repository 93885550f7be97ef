package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What can be done to running processes, each of which is named by its id. Owned by one thread.
 * Closing it lets all of them run as they will.
 */
public final class ProcessControl implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final long PERIOD_MICROS = 100_000;
    private static final String QUOTA = "cpu.cfs_quota_us";
    private static final String THROTTLED_TIME = "throttled_time ";

    private final Cleanup cleanup;
    private final Capabilities capabilities;
    private final Map<Long, Path> freezers = new HashMap<>();
    private final Map<Long, Path> quotas = new HashMap<>();
    private final Map<Long, DutyCycle> cycles = new HashMap<>();

    public ProcessControl(Cleanup cleanup, Capabilities capabilities) {
        this.cleanup = cleanup;
        this.capabilities = capabilities;
    }

    /**
     * Sends a signal.
     *
     * @param name without SIG, such as STOP
     * @throws ProgramFailedException if there is no such process
     */
    public void signal(long pid, String name) {
        Programs.signal(pid, name);
    }

    /**
     * Returns the letter for the state of a process: T if it was stopped by a signal, Z if only its
     * exit code is left.
     */
    public char state(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Stops all threads of a process, without a signal. Returns when they stand.
     *
     * @throws IllegalStateException if this machine has no freezer
     */
    public void freeze(long pid) {
        capabilities.require(Capability.FREEZER);
        Path group = group(freezers, "freezer", pid);
        Await.until(
                "process " + pid + " is frozen",
                BOUND,
                () -> {
                    Cgroups.freeze(group); // Once is not always enough for one with many threads.
                    return Cgroups.isFrozen(group);
                });
    }

    /** Returns whether the process is frozen. */
    public boolean isFrozen(long pid) {
        return freezers.containsKey(pid) && Cgroups.isFrozen(freezers.get(pid));
    }

    /** Ends a freeze. */
    public void thaw(long pid) {
        Cgroups.thaw(group(freezers, "freezer", pid));
    }

    /**
     * Lets a process have a part of one processor from now on. Without control groups it runs for
     * that part of the time instead, on as many processors as it likes.
     *
     * @param percent from 1 to 99
     */
    public void cpuPercent(long pid, int percent) {
        if (percent < 1 || percent > 99) {
            throw new IllegalArgumentException("not from 1 to 99: " + percent);
        }
        if (capabilities.has(Capability.CPU_QUOTA)) {
            Path group = group(quotas, "cpu", pid);
            Cgroups.write(group, "cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
            Cgroups.write(group, QUOTA, Long.toString(PERIOD_MICROS * percent / 100));
        } else {
            endCycle(pid);
            cycles.put(pid, DutyCycle.start(pid, percent));
        }
    }

    /** Lets a process have as much of the processors as it can get. */
    public void unlimited(long pid) {
        if (quotas.containsKey(pid)) {
            Cgroups.write(quotas.get(pid), QUOTA, "-1");
        }
        endCycle(pid);
    }

    /**
     * Returns for how long a process could not run for its limit, over its present limit at least.
     */
    public Duration throttled(long pid) {
        if (cycles.containsKey(pid)) {
            return cycles.get(pid).stopped();
        }
        if (!quotas.containsKey(pid)) {
            return Duration.ZERO;
        }
        return Cgroups.read(quotas.get(pid), "cpu.stat")
                .lines()
                .filter(line -> line.startsWith(THROTTLED_TIME))
                .map(line -> line.substring(THROTTLED_TIME.length()))
                .map(nanos -> Duration.ofNanos(Long.parseLong(nanos)))
                .findFirst()
                .orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        List.copyOf(cycles.keySet()).forEach(this::endCycle);
        freezers.values().stream().map(Leftover::cgroup).forEach(TearDown::remove);
        quotas.values().stream().map(Leftover::cgroup).forEach(TearDown::remove);
        freezers.clear();
        quotas.clear();
    }

    private void endCycle(long pid) {
        DutyCycle cycle = cycles.remove(pid);
        if (cycle != null) {
            cycle.close();
        }
    }

    private Path group(Map<Long, Path> groups, String controller, long pid) {
        return groups.computeIfAbsent(
                pid,
                id -> {
                    Path group = Cgroups.make(cleanup, controller, Long.toString(id));
                    Cgroups.take(group, id);
                    return group;
                });
    }
}
