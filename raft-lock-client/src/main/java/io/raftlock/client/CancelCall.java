package io.raftlock.client;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.SessionId;

/** Takes back an acquire that its caller wants no more: waiting, granted, or still on its way. */
final class CancelCall extends NumberedRequest {
    private final AcquireCall acquire;

    CancelCall(AcquireCall acquire) {
        this.acquire = acquire;
    }

    AcquireCall acquire() {
        return acquire;
    }

    @Override
    Request toRequest(SessionId in, long answeredUpTo) {
        return new Request.CancelAcquire(in, number(), answeredUpTo, acquire.number());
    }
}
