package io.raftlock.chaos.store;

/**
 * What the store has done.
 *
 * @param id of the request
 * @param version that was read or made, or 0 if the token was refused
 */
public record StoreAnswer(long id, long version) {}
