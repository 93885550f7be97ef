package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** No node answers: every call ends in its time all the same. */
class NoClusterTest extends SimulatedClient {

    @Test
    void aTryWhileTheClusterIsDownEndsInTime() { // E20
        cluster.killAll();
        CompletableFuture<Optional<LockGrant>> timed = lock.tryAcquireAsync(Duration.ofMillis(500));
        CompletableFuture<Optional<LockGrant>> once = lock.tryAcquireAsync(Duration.ZERO);
        loop.advance(Duration.ofMillis(500));
        assertThat(timed.join()).isEmpty();
        assertThat(once).isNotDone();
        loop.advance(Duration.ofMillis(4_500));
        assertThat(failureOf(once))
                .isInstanceOf(ClusterUnavailableException.class)
                .hasMessageContaining("10.0.0.1:1 (refused)")
                .hasMessageContaining("10.0.0.3:3 (refused)");
        assertThat(cluster.count(Request.Acquire.class)).isZero();
    }
}
