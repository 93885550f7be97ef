package io.raftlock.chaos.ledger;

import java.util.Iterator;

/** The entries that one node's process applied, in the order in which it did. */
public interface JournalSource {
    /**
     * One entry.
     *
     * @param entry its bytes as in the Raft log
     */
    @SuppressWarnings("ArrayRecordComponent") // The bytes are compared and read, never changed.
    record Recorded(long index, long term, byte[] entry) {}

    /** Returns the name of the node and the number of its life, for people. */
    String name();

    /**
     * Reads from the beginning. The iterator reads on as it is asked, so that journals need not fit
     * into memory.
     */
    Iterator<Recorded> open();
}
