package io.raftlock.chaos.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

/**
 * One thing that happened in a run. All times are nanoseconds of the machine's monotonic clock,
 * which is one for all processes, whatever their own clocks show.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Invoked.class, name = "invoked"),
    @JsonSubTypes.Type(value = Event.Returned.class, name = "returned"),
    @JsonSubTypes.Type(value = Event.Believed.class, name = "believed"),
    @JsonSubTypes.Type(value = Event.SessionSeen.class, name = "session"),
    @JsonSubTypes.Type(value = Event.ClientStarted.class, name = "client-started"),
    @JsonSubTypes.Type(value = Event.ClientEnded.class, name = "client-ended"),
    @JsonSubTypes.Type(value = Event.Stored.class, name = "stored"),
    @JsonSubTypes.Type(value = Event.NodeStarted.class, name = "node-started"),
    @JsonSubTypes.Type(value = Event.NodeEnded.class, name = "node-ended"),
    @JsonSubTypes.Type(value = Event.NodeSeen.class, name = "node-seen"),
    @JsonSubTypes.Type(value = Event.FaultBegan.class, name = "fault-began"),
    @JsonSubTypes.Type(value = Event.FaultEnded.class, name = "fault-ended"),
    @JsonSubTypes.Type(value = Event.PhaseBegan.class, name = "phase"),
    @JsonSubTypes.Type(value = Event.MachineStalled.class, name = "machine-stalled"),
    @JsonSubTypes.Type(value = Event.Noted.class, name = "noted")
})
public sealed interface Event {
    long atNanos();

    /** What a client asks for. */
    enum Action {
        /** Waits for the lock for as long as it takes. */
        LOCK,
        /** Takes the lock if it is free. */
        TRY_LOCK,
        /** Waits for the lock, but not for ever. */
        TIMED_LOCK,
        /** Takes a lock that the same owner holds once more: nothing is sent. */
        REENTER,
        RELEASE,
        /** Asks for the same request again under its number, at whatever node. */
        RETRY
    }

    /** How a call ended. */
    enum Result {
        /** It did what it was for. */
        OK,
        /** It certainly had no lasting effect: the lock was taken, or the wait was given up. */
        FAIL,
        /** It may have had an effect, or have one yet. */
        INFO
    }

    /**
     * A client is about to call. Every acquire carries the id of its call as metadata, so that the
     * log tells which command is which call's.
     *
     * @param call number that no other call of the run has
     * @param client name of the client process's present life, which is its session's client name
     * @param actor which of the client's threads; a call begins when the one before has ended
     * @param token of the hold that is released or entered again; 0 for the rest
     */
    record Invoked(
            long atNanos,
            long call,
            String client,
            int actor,
            Action action,
            String lock,
            long token)
            implements Event {}

    /**
     * A call has come back.
     *
     * @param token that was granted; 0 if none was
     * @param detail for people
     */
    record Returned(long atNanos, long call, Result result, long token, String detail)
            implements Event {}

    /**
     * A client has given a hold up, or lost it, or looked at it while it worked.
     *
     * @param call by which the lock was acquired
     * @param atNanos the last moment at which the client's own guard said that it holds the lock,
     *     read before the guard was asked
     * @param over whether the hold has ended; a later event for this call follows if not
     * @param lost whether the client was told that it lost the lock, rather than releasing it
     */
    record Believed(long atNanos, long call, boolean over, boolean lost) implements Event {}

    /**
     * A client's session changed its state.
     *
     * @param state OPEN with the session's id when it is first known; then SUSPECT, RECOVERED, LOST
     * @param session id, or 0
     */
    record SessionSeen(long atNanos, String client, String state, long session, String detail)
            implements Event {}

    /**
     * A client's process began.
     *
     * @param process name of the host, which outlives restarts; the client's name does not
     */
    record ClientStarted(long atNanos, String process, String client, String workload, long pid)
            implements Event {}

    record ClientEnded(long atNanos, String process, String client, int exitCode)
            implements Event {}

    /** What the store behind the lock did for a client. */
    enum StoreAction {
        READ,
        WRITE
    }

    /**
     * The store has answered. Its content is a set; each version of it is made from an earlier one
     * and one element more.
     *
     * @param element that is to be added, which is the call's id; 0 for a read
     * @param version that was read or made, or 0 if the token was refused
     * @param basedOn version that the client had read; 0 for a read
     */
    record Stored(
            long atNanos,
            String client,
            String lock,
            StoreAction action,
            long token,
            long element,
            long version,
            long basedOn,
            boolean guarded)
            implements Event {}

    /** A node's process began; a node that ended is started again under the same name. */
    record NodeStarted(long atNanos, String node, int life, long pid) implements Event {}

    /**
     * A node's process is gone.
     *
     * @param wanted whether the run ended it, or did what makes a node end itself
     */
    record NodeEnded(long atNanos, String node, int life, int exitCode, boolean wanted)
            implements Event {}

    /** What a node said about itself when it was asked. */
    record NodeSeen(
            long atNanos,
            String node,
            String role,
            long term,
            String leader,
            long appliedIndex,
            String digest,
            int sessions,
            int holds,
            int waiters)
            implements Event {}

    /**
     * A fault is there.
     *
     * @param step of the schedule, from 0
     * @param kind as in the schedule
     * @param targets the hosts that its roles came to mean
     * @param leader of the cluster at that moment, or empty
     */
    record FaultBegan(long atNanos, int step, String kind, String targets, String leader, long term)
            implements Event {}

    /**
     * A fault is over.
     *
     * @param proof how it is known that it had an effect, or empty if it is not
     */
    record FaultEnded(long atNanos, int step, String kind, String proof) implements Event {}

    /** The run is in its next phase. */
    record PhaseBegan(long atNanos, Phase phase) implements Event {}

    /** Parts of a run, in their order. */
    enum Phase {
        START,
        BASELINE,
        FAULTS,
        RECOVERY,
        FINAL,
        STOP
    }

    /** What of the machine may stand still. */
    enum Part {
        /** Threads that should run do not. */
        PROCESSORS,
        /** Syncs do not come back. */
        DISK
    }

    /**
     * The machine under the whole run stood still, which no fault of the run does.
     *
     * @param atNanos when it should have gone on
     * @param nanos for how long from then on it did not
     */
    record MachineStalled(long atNanos, Part what, long nanos) implements Event {}

    /**
     * Anything else that a reader of the report has to know.
     *
     * @param kind a short word, such as watchdog or setup
     */
    record Noted(long atNanos, String kind, String where, String text) implements Event {}
}
