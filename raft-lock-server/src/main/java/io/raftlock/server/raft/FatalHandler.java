package io.raftlock.server.raft;

/**
 * Called once, on a thread of the engine, when the node must not go on. It should end the process
 * at once: the node answers nothing any more, and only a restart helps.
 */
@FunctionalInterface
public interface FatalHandler {
    void fatal(String what, Throwable cause);
}
