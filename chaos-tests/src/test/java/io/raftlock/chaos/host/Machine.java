package io.raftlock.chaos.host;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

/** The machine that the tests run on: what it cannot do is not tested, and that is said. */
public final class Machine {
    private static final class Probed {
        static final Capabilities CAPABILITIES = HostProbe.probe();
    }

    private Machine() {}

    public static Capabilities capabilities() {
        return Probed.CAPABILITIES;
    }

    /** Skips the test if this machine cannot do all of it. */
    public static void needs(Capability... needed) {
        for (Capability capability : List.of(needed)) {
            assumeTrue(
                    capabilities().has(capability),
                    () -> capability + ": " + capabilities().whyNot(capability));
        }
    }
}
