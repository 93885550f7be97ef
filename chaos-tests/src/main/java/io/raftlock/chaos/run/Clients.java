package io.raftlock.chaos.run;

import io.raftlock.chaos.client.WorkloadKind;
import io.raftlock.chaos.client.WorkloadSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Which client programs a run has. */
final class Clients {
    private static final int SHORT_TTL_MILLIS = 1_500;
    private static final int TTL_MILLIS = 3_000;
    private static final int LONG_TTL_MILLIS = 8_000;

    /** Those that go for the same locks from different processes are in every run. */
    private static final List<WorkloadKind> ALWAYS =
            List.of(
                    WorkloadKind.FENCED_MUTEX,
                    WorkloadKind.FENCED_MUTEX,
                    WorkloadKind.FENCED_STORE,
                    WorkloadKind.FENCED_STORE);

    private static final int OTHERS = 3;

    private Clients() {}

    /** Draws the programs of a run. */
    static List<String> draw(long seed) {
        List<WorkloadKind> left = new ArrayList<>(List.of(WorkloadKind.values()));
        left.removeAll(ALWAYS);
        left.remove(WorkloadKind.SWEEP);
        List<String> drawn = new ArrayList<>(ALWAYS.stream().map(WorkloadKind::name).toList());
        Random random = new Random(seed);
        for (int i = 0; i < OTHERS; i++) {
            drawn.add(left.remove(random.nextInt(left.size())).name());
        }
        return drawn;
    }

    /** Returns what the program of that name does. */
    static WorkloadSpec spec(String name) {
        WorkloadKind kind = WorkloadKind.valueOf(name);
        return WorkloadSpec.of(
                kind,
                switch (kind) {
                    case SESSIONS, IDLE -> SHORT_TTL_MILLIS;
                    case FENCED_MUTEX, FENCED_STORE, REENTRANT -> TTL_MILLIS;
                    case FAIR_QUEUE, MANY_KEYS, HOLDER_READS, RETRIES, SWEEP -> LONG_TTL_MILLIS;
                });
    }

    /** Returns what the program does that comes last, when all of these are gone. */
    static WorkloadSpec sweep(List<String> names) {
        return WorkloadSpec.sweep(names.stream().map(Clients::spec).toList(), LONG_TTL_MILLIS);
    }

    /** Returns the longest time that a session of them lives when nobody renews it. */
    static long longestTtlMillis() {
        return LONG_TTL_MILLIS;
    }
}
