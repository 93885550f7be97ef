package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Names of locks are accepted as they are, or refused before anything is sent. */
class NamesTest extends SimulatedClient {

    @Test
    void namesAreCheckedBeforeAnythingIsSent() { // E43
        assertThatThrownBy(() -> client.lock("a\nb"))
                .isInstanceOfSatisfying(
                        LockRefusedException.class,
                        refused -> assertThat(refused.code()).isEqualTo(RefusalCode.INVALID_NAME));
    }
}
