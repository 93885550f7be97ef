package io.raftlock.server.net;

import io.raftlock.protocol.Response;

import java.util.function.Consumer;

/** What the front end has to know of its node. For use by any thread; nothing here blocks. */
public interface NodeFacts {

    Response welcome();

    /** Returns where clients reach this node. */
    String ownAddress();

    /** Returns where clients reach that member; empty if it is unknown, or this node itself. */
    String addressOfOther(String memberId);

    boolean allowsTtl(long ttlMillis);

    /** Returns a sentence that says which TTLs are allowed. */
    String ttlBounds();

    /** Answers later, on a thread of its own. */
    void status(Consumer<Response> answer);
}
