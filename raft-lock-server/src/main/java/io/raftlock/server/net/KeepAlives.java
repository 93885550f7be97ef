package io.raftlock.server.net;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.session.KeepAliveReply;

/** Where keep-alives go. For use by any thread; does not block. */
public interface KeepAlives {
    void ask(SessionId session, KeepAliveReply reply);
}
