package io.raftlock.server.raft;

/**
 * Who leads, as one node sees it.
 *
 * @param role LEADER, FOLLOWER, CANDIDATE, TRANSFERRING, ERROR, …
 * @param term the current term, or 0 before the first
 * @param leading whether this node leads and has applied all entries of earlier terms
 * @param leaderId id of the member that leads, or empty if unknown
 */
public record Leadership(String role, long term, boolean leading, String leaderId) {}
