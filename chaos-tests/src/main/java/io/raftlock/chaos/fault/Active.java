package io.raftlock.chaos.fault;

/** A fault that is there. Owned by the driver's thread. */
public interface Active {
    /** Goes on with what the fault does over time; called often. */
    default void tick(long nowNanos) {}

    /**
     * Ends the fault. Called once, also when the run is given up.
     *
     * @return how it is known that it had an effect, for people; empty if that is not known
     */
    String end();
}
