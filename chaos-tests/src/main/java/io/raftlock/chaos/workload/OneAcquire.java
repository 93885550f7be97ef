package io.raftlock.chaos.workload;

import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;

import java.io.IOException;
import java.time.Duration;

/**
 * A program that takes one lock and holds it until its input ends, so that it does not outlive the
 * program that started it.
 *
 * <p>Arguments: the address of a node, its session's time to live in milliseconds, and the lock.
 */
public final class OneAcquire {
    private OneAcquire() {}

    /** Runs until its input ends. */
    public static void main(String[] arguments) throws IOException {
        try (RaftLockClient client =
                        RaftLockClient.builder()
                                .endpoints(arguments[0])
                                .sessionTtl(Duration.ofMillis(Long.parseLong(arguments[1])))
                                .clientName("one-acquire")
                                .build();
                LockGrant grant = client.lock(arguments[2]).acquire()) {
            System.out.println(grant.token());
            int unused = System.in.read();
        }
    }
}
