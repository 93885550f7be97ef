package io.raftlock.server.net;

import io.raftlock.protocol.ErrorCode;

/** What a refusal says to a person: what was wrong, and what to do. */
final class RefusalText {
    private RefusalText() {}

    static String of(ErrorCode code) {
        return switch (code) {
            case BUSY -> "the leader has too many requests under way; ask again a little later";
            case MALFORMED -> "a value in the request is out of bounds";
            case UNSUPPORTED_VERSION -> "no protocol version is spoken by both sides";
            case SESSION_EXPIRED -> "there is no such session (any more); open a new one";
            case DENIED -> "the secret is not the session's";
            case INVALID_NAME -> "the lock name is not valid";
            case INVALID_TTL -> "the session's TTL is out of bounds";
            case NOT_AVAILABLE -> "the lock is held by another owner";
            case ALREADY_HELD -> "the owner holds the lock already, or waits for it";
            case NOT_HOLDER -> "the owner does not hold the lock with this token";
            case QUEUE_FULL -> "too many owners wait for the lock";
            case CANCELLED -> "the acquire was cancelled";
            case ALREADY_COMPLETED -> "the client has acknowledged the answer of this request";
            case TOO_MANY_REQUESTS -> "the session has too many unacknowledged requests";
            case TOO_MANY_SESSIONS -> "the cluster has as many sessions as it can hold";
            case WRONG_KIND -> "the name is in use for another kind of lock";
            case DEADLOCK -> "waiting would close a cycle of owners that wait for each other";
            case UPGRADE_NOT_ALLOWED -> "a reader cannot become the writer";
        };
    }
}
