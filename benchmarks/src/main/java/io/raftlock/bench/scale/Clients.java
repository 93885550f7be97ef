package io.raftlock.bench.scale;

import io.raftlock.client.RaftLockClient;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A few clients over which callers and locks are spread. */
final class Clients implements AutoCloseable {
    private static final int COUNT = 8;

    /** Longer than a node of millions of locks may stand still. */
    private static final Duration TTL = Duration.ofMinutes(1);

    private final List<RaftLockClient> all = new ArrayList<>();

    Clients(Nodes nodes) {
        for (int i = 0; i < COUNT; i++) {
            all.add(
                    RaftLockClient.builder()
                            .endpoints(nodes.endpoints().toArray(String[]::new))
                            .sessionTtl(TTL)
                            .clientName("scale-" + i)
                            .build());
        }
    }

    /** Returns the client of the caller, or lock, of that number. */
    RaftLockClient of(int number) {
        return all.get(number % COUNT);
    }

    @Override
    public void close() {
        all.forEach(RaftLockClient::close);
    }
}
