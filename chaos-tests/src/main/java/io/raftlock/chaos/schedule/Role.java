package io.raftlock.chaos.schedule;

/** Whom a fault is for. Which hosts that means is found out when it begins. */
public enum Role {
    LEADER,
    FOLLOWER,
    /** The largest number of nodes that is no majority, with the leader among them. */
    MINORITY,
    /** The smallest number of nodes that is a majority, with the leader among them. */
    MAJORITY,
    ALL_NODES,
    /** One client's process. */
    CLIENT,
    ALL_CLIENTS,
    /** All nodes and all clients. */
    EVERYBODY
}
