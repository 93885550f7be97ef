package io.raftlock.server.simulation;

import io.raftlock.server.lock.ClaimState;
import io.raftlock.server.lock.Outcome;

import java.util.Map;

/** What a node says to a client. Only who is known to lead says what the cluster clock is. */
sealed interface Reply {
    record Done(Outcome outcome, long clockMillis) implements Reply {}

    record Alive(Map<Long, ClaimState> pending, long clockMillis) implements Reply {}

    record Expired() implements Reply {}

    /** Nothing is known of the request: ask again, perhaps another node. */
    record AskAgain(int leaderHint) implements Reply {}
}
