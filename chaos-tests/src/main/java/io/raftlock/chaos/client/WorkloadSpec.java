package io.raftlock.chaos.client;

import com.fasterxml.jackson.core.JsonProcessingException;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What one program does, and how much of it.
 *
 * @param lockPrefix locks are called by it, a slash and a number from 0; a sweep has several, with
 *     commas between them
 * @param locks how many there are
 * @param actors threads that each do one thing after the other
 * @param sessions that the program has, where the workload is one of many sessions
 * @param ttlMillis of its sessions
 * @param holdMillis longest hold, but for the long ones
 * @param longHoldsPerThousand of the holds may last up to two TTLs
 * @param acquiresPerSecond at most, of each actor
 */
public record WorkloadSpec(
        WorkloadKind kind,
        String lockPrefix,
        int locks,
        int actors,
        int sessions,
        long ttlMillis,
        int holdMillis,
        int longHoldsPerThousand,
        int acquiresPerSecond) {
    /** With its release, an acquire is two operations. */
    private static final int ACQUIRES_PER_SECOND = 100;

    private static final int HOLD_MILLIS = 10;
    private static final int SWEPT_LOCKS = 20;
    private static final int SWEEPS_PER_SECOND = 1_000;

    /** Kind of the note by which a client says that its sweep is done. */
    public static final String SWEPT = "swept";

    public WorkloadSpec {
        if (locks < 1 || actors < 1 || sessions < 1 || holdMillis < 0 || acquiresPerSecond < 1) {
            throw new IllegalArgumentException("a workload has at least one of each");
        }
    }

    /** Returns the workload of that kind in its usual size. */
    public static WorkloadSpec of(WorkloadKind kind, long ttlMillis) {
        return switch (kind) {
            case FENCED_MUTEX -> usual(kind, "mutex", 3, 3, 1, ttlMillis, 1);
            case REENTRANT -> usual(kind, "reentrant", 2, 2, 1, ttlMillis, 0);
            case FAIR_QUEUE -> usual(kind, "queue", 2, 8, 1, ttlMillis, 0);
            case FENCED_STORE -> usual(kind, "store", 2, 3, 1, ttlMillis, 0);
            case SESSIONS -> usual(kind, "session", 4, 3, 1, ttlMillis, 0);
            case MANY_KEYS -> usual(kind, "key", 10_000, 4, 8, ttlMillis, 0);
            case HOLDER_READS -> usual(kind, "read", 3, 2, 1, ttlMillis, 0);
            case RETRIES -> usual(kind, "retry", 3, 2, 1, ttlMillis, 0);
            case IDLE -> usual(kind, "idle", 3, 2, 1, ttlMillis, 0);
            case SWEEP -> throw new IllegalArgumentException("a sweep is of others' locks");
        };
    }

    /**
     * Returns a sweep over the locks of others.
     *
     * @param others of whose locks each the first ones are asked for
     */
    public static WorkloadSpec sweep(List<WorkloadSpec> others, long ttlMillis) {
        String prefixes =
                others.stream()
                        .map(WorkloadSpec::lockPrefix)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(","));
        return new WorkloadSpec(
                WorkloadKind.SWEEP,
                prefixes,
                SWEPT_LOCKS,
                1,
                1,
                ttlMillis,
                0,
                0,
                SWEEPS_PER_SECOND);
    }

    private static WorkloadSpec usual(
            WorkloadKind kind,
            String prefix,
            int locks,
            int actors,
            int sessions,
            long ttlMillis,
            int longHoldsPerThousand) {
        return new WorkloadSpec(
                kind,
                prefix,
                locks,
                actors,
                sessions,
                ttlMillis,
                HOLD_MILLIS,
                longHoldsPerThousand,
                ACQUIRES_PER_SECOND);
    }

    /** Returns the name of the lock of that number. */
    public String lock(int number) {
        return lockPrefix + '/' + number;
    }

    /** Returns it in one line, for {@link #decode}. */
    public String encode() {
        return Lines.encode(this);
    }

    /**
     * Returns what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static WorkloadSpec decode(String line) {
        try {
            return Lines.JSON.readValue(line, WorkloadSpec.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is no workload: " + line, e);
        }
    }
}
