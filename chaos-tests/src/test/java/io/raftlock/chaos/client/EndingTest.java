package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event.Result;
import io.raftlock.client.RaftLockClient;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

class EndingTest {
    @Test
    void anAcquireThatWasGivenUpHasNoLastingEffect() {
        assertThat(Ending.ofAcquire(new CancellationException()).result()).isEqualTo(Result.FAIL);
        assertThat(Ending.ofAcquire(new InterruptedException()).result()).isEqualTo(Result.FAIL);
        assertThat(Ending.ofAcquire(wrapped(new TimeoutException())))
                .isEqualTo(Ending.fail("TimeoutException"));
    }

    @Test
    void whatTheClosingOfTheClientEndedIsNotKnown() {
        IllegalStateException closed = new IllegalStateException("closed");
        assertThat(Ending.ofAcquire(wrapped(closed))).isEqualTo(Ending.info("closed"));
        assertThat(Ending.ofRelease(closed)).isEqualTo(Ending.info("closed"));
    }

    @Test
    void aClusterThatIsNotReachedTookNothing() {
        try (RaftLockClient client =
                RaftLockClient.builder()
                        .endpoints("127.0.0.1:1")
                        .requestTimeout(Duration.ofMillis(50))
                        .build()) {
            assertThatThrownBy(() -> client.lock("a").tryLock())
                    .satisfies(
                            thrown ->
                                    assertThat(Ending.ofAcquire(thrown))
                                            .isEqualTo(Ending.fail("ClusterUnavailableException")));
            assertThatThrownBy(() -> client.lock(""))
                    .satisfies(
                            thrown ->
                                    assertThat(Ending.ofAcquire(thrown))
                                            .isEqualTo(Ending.fail("INVALID_NAME")));
        }
    }

    @Test
    void whatNoCallEndsWithIsNotTakenForAnOutcome() {
        assertThatThrownBy(() -> Ending.ofAcquire(new NullPointerException()))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> Ending.ofRelease(new IllegalMonitorStateException()))
                .isInstanceOf(IllegalStateException.class);
    }

    private static Throwable wrapped(Throwable cause) {
        return new ExecutionException(new CompletionException(cause));
    }
}
