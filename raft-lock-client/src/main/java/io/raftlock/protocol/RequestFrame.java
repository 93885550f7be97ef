package io.raftlock.protocol;

/**
 * A request on the wire.
 *
 * @param group the lock group it is for
 * @param callId chosen by the client, repeated in the answer; not 0
 */
public record RequestFrame(int group, long callId, Request request) {}
