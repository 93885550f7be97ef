package io.raftlock.chaos.client;

/** A lock that is held, as whoever holds it knows it. */
interface Held {
    /** Whether it is still held, by the holder's own clock. */
    boolean isHeld();

    /** Releases it, and returns how that ended. */
    Ending release();
}
