package io.raftlock.cli;

import io.raftlock.server.HostPort;

/** Where to ask a node. The name is its id, or empty if only the address is known. */
record Endpoint(String name, HostPort address) {}
