package io.raftlock.chaos.checker;

import java.util.List;

/** All checks, in the order of their invariants. */
public final class Checks {
    public static final List<Check> ALL =
            List.of(
                    new LogExclusionCheck(),
                    new LogOrderCheck(),
                    new TokenOrderCheck(),
                    new WglCheck(),
                    new ReadCheck(),
                    new TokenCheck(),
                    new FencedStoreCheck(),
                    new DurabilityCheck(),
                    new ExactlyOnceCheck(),
                    new FailCheck(),
                    new ReplicaCheck(),
                    new TermCheck(),
                    new ExpiryCheck(),
                    new BeliefCheck(),
                    new LeakCheck(),
                    new QueueCheck(),
                    new LivenessCheck(),
                    new InternalCheck());

    private Checks() {}
}
