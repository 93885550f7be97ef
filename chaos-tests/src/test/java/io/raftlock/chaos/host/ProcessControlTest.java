package io.raftlock.chaos.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Map;

class ProcessControlTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private final Cleanup cleanup = Cleanup.open(Cleanup.defaultFolder());
    private Process busy;

    @BeforeEach
    void start() throws Exception {
        busy = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    }

    @AfterEach
    void end() {
        busy.destroyForcibly();
        cleanup.close();
    }

    @Test
    void aStoppedProcessStandsStillUntilItMayGoOn() {
        try (ProcessControl control = new ProcessControl(cleanup, Machine.capabilities())) {
            control.signal(busy.pid(), "STOP");
            Await.until("stopped", BOUND, () -> control.state(busy.pid()) == 'T');
            assertThat(cpuMillis(200)).isLessThanOrEqualTo(20);
            control.signal(busy.pid(), "CONT");
            Await.until("running", BOUND, () -> control.state(busy.pid()) != 'T');
            awaitRuns();
        }
    }

    @Test
    void aFrozenProcessStandsStillUntilItIsThawed() {
        Machine.needs(Capability.FREEZER);
        try (ProcessControl control = new ProcessControl(cleanup, Machine.capabilities())) {
            control.freeze(busy.pid());
            assertThat(control.isFrozen(busy.pid())).isTrue();
            assertThat(cpuMillis(200)).isLessThanOrEqualTo(20);
            control.thaw(busy.pid());
            awaitRuns();
            control.freeze(busy.pid());
        }
        awaitRuns();
    }

    @Test
    void aProcessWithAPartOfAProcessorHasNoMore() {
        Machine.needs(Capability.CPU_QUOTA);
        try (ProcessControl control = new ProcessControl(cleanup, Machine.capabilities())) {
            control.cpuPercent(busy.pid(), 10);
            assertThat(cpuMillis(700)).isLessThan(160);
            awaitThrottled(control);
            control.unlimited(busy.pid());
            Duration throttled = control.throttled(busy.pid());
            awaitRuns();
            assertThat(control.throttled(busy.pid())).isEqualTo(throttled);
        }
    }

    @Test
    void withoutControlGroupsTheProcessRunsForAPartOfTheTime() {
        Map<Capability, String> none = Map.of(Capability.CPU_QUOTA, "not in this test");
        try (ProcessControl control = new ProcessControl(cleanup, new Capabilities(none))) {
            control.cpuPercent(busy.pid(), 20);
            assertThat(cpuMillis(700)).isLessThan(300);
            awaitThrottled(control);
            control.unlimited(busy.pid());
            assertThat(control.state(busy.pid())).isNotEqualTo('T');
            awaitRuns();
            assertThat(control.state(busy.pid())).isNotEqualTo('T');
        }
    }

    @Test
    void aProcessThatIsNotThereCannotBeSignalled() throws Exception {
        busy.destroyForcibly().waitFor();
        try (ProcessControl control = new ProcessControl(cleanup, Machine.capabilities())) {
            assertThatThrownBy(() -> control.signal(busy.pid(), "STOP"))
                    .isInstanceOf(ProgramFailedException.class)
                    .hasMessageContaining("kill -STOP " + busy.pid());
        }
    }

    private void awaitRuns() {
        long goal = cpuMillis() + 100;
        Await.until("runs", BOUND, () -> cpuMillis() > goal);
    }

    private void awaitThrottled(ProcessControl control) {
        Duration goal = Duration.ofMillis(200);
        Await.until("throttled", BOUND, () -> control.throttled(busy.pid()).compareTo(goal) > 0);
    }

    /** Returns how much processor time the process has had within a span of time. */
    private long cpuMillis(long within) {
        long before = cpuMillis();
        try {
            Thread.sleep(within);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return cpuMillis() - before;
    }

    private long cpuMillis() {
        return busy.info().totalCpuDuration().orElseThrow().toMillis();
    }
}
