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
}
