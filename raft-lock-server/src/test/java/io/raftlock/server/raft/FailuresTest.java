package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

@Timeout(30)
class FailuresTest {
    private static final Throwable CAUSE = new IllegalStateException("cause");

    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final Failures failures = new Failures((what, cause) -> told.add(what));

    @Test
    void whatStopsARunningNodeIsToldOnce() {
        assertThat(failures.started()).isNull();
        failures.report("one", CAUSE);
        failures.report("two", CAUSE);
        assertThat(told).containsExactly("one");
    }

    @Test
    void whatPreventsAStartIsTheReasonAndNotTold() {
        failures.report("one", CAUSE);
        assertThat(failures.startFailed()).isEqualTo(new Failures.Failure("one", CAUSE));
        failures.report("two", CAUSE);
        assertThat(told).isEmpty();
    }

    @Test
    void theFirstReasonIsToldWhateverIsReported() {
        failures.started();
        failures.note("the disk is full", CAUSE);
        assertThat(failures.any()).isTrue();
        assertThat(told).isEmpty();
        failures.reportAfterLastWords("the engine stops", CAUSE);
        assertThat(told).as("not at once").isEmpty();
        TestGroup.await(() -> !told.isEmpty(), "told");
        assertThat(told).containsExactly("the disk is full");
    }
}
