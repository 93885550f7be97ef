package io.raftlock.chaos.node;

import io.raftlock.client.LockException;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that takes and releases one lock until its input ends, and prints the time and the
 * token of each grant. Arguments: the lock, and the addresses of the nodes.
 */
final class LockCycles {
    private static final long REST_NANOS = 10_000_000;

    private LockCycles() {}

    public static void main(String[] arguments) throws IOException {
        String[] endpoints = new String[arguments.length - 1];
        System.arraycopy(arguments, 1, endpoints, 0, endpoints.length);
        Thread cycles = new Thread(() -> run(arguments[0], endpoints), "cycles");
        cycles.setDaemon(true);
        cycles.start();
        while (System.in.read() >= 0) {
            // Nobody says anything.
        }
    }

    private static void run(String lock, String[] endpoints) {
        try (RaftLockClient client =
                RaftLockClient.builder()
                        .endpoints(endpoints)
                        .sessionTtl(Duration.ofSeconds(20))
                        .clientName("lock-cycles")
                        .build()) {
            while (true) {
                cycle(client, lock);
                LockSupport.parkNanos(REST_NANOS);
            }
        }
    }

    private static void cycle(RaftLockClient client, String lock) {
        try (LockGrant grant = client.lock(lock).acquire()) {
            System.out.println(System.nanoTime() + " " + grant.token().value());
        } catch (LockException again) {
            System.err.println(again);
        }
    }
}
