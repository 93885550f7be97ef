package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A release takes effect once, on the hold that it is meant for, whatever is lost on the way. */
class UnlockTest extends SimulatedClient {

    @Test
    void aLostReleaseAnswerIsAskedForAgainAndHurtsNobody() { // H9
        LockGrant grant = grant();
        cluster.responseArrives = (response, push) -> response.kind() != Response.Kind.RELEASED;
        CompletableFuture<Void> released = grant.releaseAsync();
        loop.advance(ROUND_TRIP);
        cluster.strangerLocks("k");
        cluster.responseArrives = (response, push) -> true;
        cluster.cutConnections();
        loop.advance(Duration.ofSeconds(1));
        assertThat(released).isCompleted();
        assertThat(cluster.isHeld("k")).isTrue();
        assertThat(cluster.count(Request.Release.class)).isEqualTo(2);
    }

    @Test
    void aReleaseThatFindsNoClusterEndsWithTheLease() { // E20
        LockGrant grant = grant();
        cluster.killAll();
        CompletableFuture<Void> release = grant.releaseAsync();
        loop.advance(Duration.ofSeconds(8));
        assertThat(release).isNotDone();
        loop.advance(Duration.ofSeconds(2));
        assertThat(failureOf(release)).isInstanceOf(LockLostException.class);
    }
}
