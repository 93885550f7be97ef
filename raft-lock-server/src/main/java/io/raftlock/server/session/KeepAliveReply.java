package io.raftlock.server.session;

/** Takes the answer to one keep-alive. Called once, on the tick thread; must not block. */
public interface KeepAliveReply {
    /** The session is open, and was kept by a node that led after the keep-alive had arrived. */
    void alive();

    /** There is no such session: a majority has agreed to that. */
    void expired();

    /** This node could not show that it leads, so it knows nothing. */
    void unconfirmed();
}
