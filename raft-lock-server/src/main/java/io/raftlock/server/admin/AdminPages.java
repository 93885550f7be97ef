package io.raftlock.server.admin;

/** What there is to see. Called on the admin thread. */
public interface AdminPages {

    /** Returns the meters in the text format of Prometheus. */
    String metrics();

    /** Returns how the node is. */
    Health health();

    /**
     * Whether a client of this node could be served.
     *
     * @param text one line for people
     */
    record Health(boolean isServing, String text) {}
}
