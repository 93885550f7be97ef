package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.host.Capabilities;
import io.raftlock.chaos.host.HostProbe;
import io.raftlock.chaos.run.ChaosRun;
import io.raftlock.chaos.run.Layout;
import io.raftlock.chaos.run.Smoke;
import io.raftlock.chaos.run.Stage;
import io.raftlock.chaos.run.Trial;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Chaos on a small scale, in the layout that this machine can do; what it cannot do is left out and
 * printed. The reports stay in the folder of the module's chaos runs.
 */
@Timeout(600) // A run may be made once more.
class ChaosSmokeIT {
    static final List<String> PASSING = Smoke.PASSING;

    private static Capabilities machine;
    private static Layout layout;

    @BeforeAll
    static void seeWhatThereIs() {
        machine = HostProbe.probe();
        layout = Stage.best(machine);
        System.out.printf("chaos: layout %s%n", layout);
        machine.missing()
                .forEach((what, why) -> System.out.printf("chaos: no %s: %s%n", what, why));
    }

    @ParameterizedTest
    @FieldSource("PASSING")
    void faultsBreakNoPromise(String schedule) throws IOException {
        assertGood(Smoke.passes(schedule, machine, layout, folder(), System.out));
    }

    @Test
    void aPlantedBugIsFound() throws IOException {
        assertGood(Smoke.controlFails(machine, layout, folder(), System.out));
    }

    /** What is printed may be cut off where the build runs; the message of a failure is not. */
    private static void assertGood(Trial trial) {
        assertThat(trial.isGood()).withFailMessage(trial::why).isTrue();
    }

    private static Path folder() {
        return ChaosRun.defaultFolder();
    }
}
