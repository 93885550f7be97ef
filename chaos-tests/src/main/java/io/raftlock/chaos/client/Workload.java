package io.raftlock.chaos.client;

import java.util.concurrent.TimeoutException;

/** What one actor does, again and again. Owned by the actor. */
interface Workload {
    /**
     * Does it once.
     *
     * @throws TimeoutException if the driver does not answer
     */
    void cycle() throws InterruptedException, TimeoutException;

    /** Lets go what is held from one cycle to the next: there may be none for a while, or ever. */
    default void letGo() {}
}
