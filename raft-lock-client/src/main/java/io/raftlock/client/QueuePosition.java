package io.raftlock.client;

/**
 * The place of a waiting caller in a lock's queue.
 *
 * @param position 1 for the one who is next
 */
public record QueuePosition(int position) {}
