package io.raftlock.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.bench.peer.PeerSystem;

import org.junit.jupiter.api.Test;

class HeatTest {
    @Test
    void itsSecondHalfIsTheHeaviestLoadThatTheClientCanPut() {
        assertThat(Heat.of(PeerSystem.RAFT_LOCK))
                .extracting(Object::toString)
                .containsExactly("blocking:64", "async:256");
        assertThat(Heat.of(PeerSystem.ZOOKEEPER))
                .extracting(Object::toString)
                .containsExactly("blocking:64", "blocking:256");
        assertThat(Heat.length(5)).hasMillis(2_500);
    }
}
