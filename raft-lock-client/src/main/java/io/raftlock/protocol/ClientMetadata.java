package io.raftlock.protocol;

/** How a client describes itself to people: nothing is decided by it. */
public record ClientMetadata(String name, String host, long pid) {}
