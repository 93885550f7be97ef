package io.raftlock.client;

import io.raftlock.protocol.Request;
import io.raftlock.protocol.SessionId;

/** Ends a hold; its outcome says whether the hold lasted until then. */
final class ReleaseCall extends NumberedRequest {
    private final Hold hold;
    private final Outcome<Hold> outcome;

    ReleaseCall(Hold hold, Outcome<Hold> outcome) {
        this.hold = hold;
        this.outcome = outcome;
    }

    Hold hold() {
        return hold;
    }

    Outcome<Hold> outcome() {
        return outcome;
    }

    void lost(LossReason reason) {
        outcome.fail(() -> new LockLostException(hold.name().value(), reason));
    }

    @Override
    Request toRequest(SessionId in, long answeredUpTo) {
        return new Request.Release(
                in, number(), answeredUpTo, hold.name(), hold.owner(), hold.token().value());
    }
}
