package io.raftlock.server.lock;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.util.List;

/**
 * A session at one position of the log. What it holds and awaits stands with the locks.
 *
 * @param lastCommand position of the last command that came from the session
 * @param deadlineMillis on the cluster clock, when the time of a session that was noted silent is
 *     over; 0 for a session that was not
 * @param answeredUpTo the client has the answers of its requests up to this number
 * @param answers kept for the requests above that number, in order of number
 */
public record SessionRecord(
        SessionId id,
        SessionSecret secret,
        long ttlMillis,
        ClientMetadata metadata,
        long lastCommand,
        long deadlineMillis,
        long answeredUpTo,
        List<Answer> answers) {

    /** The outcome of the request with that number. */
    public record Answer(long number, Outcome outcome) {}
}
