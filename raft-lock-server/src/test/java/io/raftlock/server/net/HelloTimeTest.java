package io.raftlock.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.LeaderTime;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** For how long a node waits for the first word on a connection. */
class HelloTimeTest {
    private final LeaderTime time = new LeaderTime(System.nanoTime());
    private final FrontEnd frontEnd =
            new FrontEnd(
                    new FakeFacts(),
                    new FakeLog(),
                    new ClusterClock(),
                    time,
                    new ConnectedSessions(time),
                    (session, reply) -> reply.unconfirmed());

    @Test
    void whoSaysNothingIsCutOffAfterTenSeconds() {
        TestClient client = new TestClient(frontEnd);
        client.advance(Duration.ofSeconds(9));
        assertThat(client.isOpen()).isTrue();
        client.advance(Duration.ofSeconds(2));
        assertThat(client.isOpen()).isFalse();
    }

    @Test
    void whoHasSaidHelloIsNotTimedAnyMore() {
        TestClient client = TestClient.greeted(frontEnd);
        assertThat(client.isTimed()).isFalse();
        client.advance(Duration.ofSeconds(11));
        assertThat(client.isOpen()).isTrue();
    }

    @Test
    void aConnectionThatComesAndGoesLeavesNothingBehind() { // E37
        TestClient client = new TestClient(frontEnd);
        assertThat(client.isTimed()).isTrue();
        client.close();
        assertThat(client.isTimed()).isFalse();
    }
}
