package io.raftlock.cli;

import io.raftlock.protocol.Response.NodeStatus;

/** What came of asking one node how it is. */
sealed interface Answer {

    /** What the user called the node: its id if known, else its address. */
    Endpoint endpoint();

    record Up(Endpoint endpoint, NodeStatus status) implements Answer {}

    record Down(Endpoint endpoint, String why) implements Answer {}
}
