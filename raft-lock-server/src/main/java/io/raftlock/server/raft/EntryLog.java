package io.raftlock.server.raft;

/** Where entries go. The engine's log in a node, a fake in tests. */
interface EntryLog {
    /**
     * Appends the entry if this node leads in that term. Returns at once; {@code pending} is run
     * with a status if the entry was refused or lost, else it is applied.
     */
    void append(long term, byte[] entry, PendingEntry pending);
}
