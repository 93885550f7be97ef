package io.raftlock.client;

/** How a client's session is. Read from the client's own clock: no message is sent to find out. */
public enum SessionState {
    /** No call has needed a session yet. */
    NONE,
    /** A session was asked for and the cluster has not answered yet. */
    OPENING,
    /** The cluster confirmed the session lately. */
    ACTIVE,
    /** No confirmation for a third of the session's time to live; its locks are still held. */
    SUSPECT,
    /** The last session is lost, and its locks with it. The next call opens a new one. */
    LOST,
    /** The client was closed. */
    CLOSED
}
