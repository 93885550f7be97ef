package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** The user's code, told of what happens. */
class CallbackTest extends SimulatedClient {

    @Test
    void aCallbackThatThrowsHurtsNobody() { // E17
        List<LossReason> seen = new ArrayList<>();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        throw new IllegalStateException("thrown by a test");
                    }
                });
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        seen.add(reason);
                    }
                });
        cluster.strangerLocks("x");
        client.lock("x")
                .acquireAsync(
                        AcquireOptions.defaults()
                                .onProgress(
                                        place -> {
                                            throw new IllegalStateException("thrown by a test");
                                        }));
        grant();
        cluster.expire(client.sessionId().orElseThrow());
        loop.advance(ROUND_TRIP);
        assertThat(seen).containsExactly(LossReason.SESSION_EXPIRED);
        assertThat(grant().isHeld()).isTrue();
    }

    @Test
    void aListenerThatWasRemovedIsToldNothingMore() {
        List<String> told = new ArrayList<>();
        List<String> kept = new ArrayList<>();
        SessionListener removed = new Recorder(told);
        client.addSessionListener(removed);
        client.addSessionListener(removed);
        client.addSessionListener(new Recorder(kept));
        grant();
        cluster.expire(session());
        loop.advance(ROUND_TRIP);
        assertThat(told).as("added twice, told twice").hasSize(2);
        client.removeSessionListener(removed);
        grant();
        cluster.expire(session());
        loop.advance(ROUND_TRIP);
        assertThat(told).hasSize(2);
        assertThat(kept).hasSize(2);
        assertThat(events).hasSize(2);
    }

    @Test
    void toRemoveAListenerThatWasNeverAddedDoesNothing() {
        client.removeSessionListener(new SessionListener() {});
        grant();
        cluster.expire(session());
        loop.advance(ROUND_TRIP);
        assertThat(events).containsExactly("lost SESSION_EXPIRED");
    }

    @Test
    void aListenerMayRemoveItself() {
        List<LossReason> told = new ArrayList<>();
        client.addSessionListener(
                new SessionListener() {
                    @Override
                    public void onLost(LossReason reason) {
                        told.add(reason);
                        client.removeSessionListener(this);
                    }
                });
        for (int time = 0; time < 2; time++) {
            grant();
            cluster.expire(session());
            loop.advance(ROUND_TRIP);
        }
        assertThat(told).hasSize(1);
        assertThat(events).hasSize(2);
    }

    @Test
    void whatDependentsOfFuturesThrowHurtsNobody() { // E17
        for (int at = 0; at < 100; at++) {
            lock.acquireAsync()
                    .thenAccept(
                            grant -> {
                                grant.lost().thenAccept(reason -> fail());
                                grant.releaseAsync().thenRun(CallbackTest::fail);
                                fail();
                            });
        }
        loop.advance(TTL);
        assertFree("after a hundred that threw");
        assertThat(events).isEmpty();
    }

    private static void fail() {
        throw new IllegalStateException("thrown by a test");
    }
}
