package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;

/** An acquire that is alive: it waits for its lock, or holds it. */
public record Claim(
        SessionId session,
        long number,
        long owner,
        LockName name,
        long maxHoldMillis,
        String metadata) {

    Owner holder() {
        return new Owner(session, owner);
    }
}
