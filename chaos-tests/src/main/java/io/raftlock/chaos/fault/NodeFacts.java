package io.raftlock.chaos.fault;

/** What is known of nodes from outside. */
public interface NodeFacts {
    /** Returns the position that the node last said it has applied; 0 if it never said. */
    long appliedIndex(String node);

    /** Returns the position of the snapshot that it last loaded; 0 if it loaded none. */
    long loadedSnapshot(String node);
}
