package io.raftlock.server.lock;

/** What has become of an acquire. */
public sealed interface ClaimState {
    record Waiting() implements ClaimState {}

    record Holding(Hold hold) implements ClaimState {}

    /** It neither waits nor holds: cancelled, refused, ended, or never seen. */
    record Gone() implements ClaimState {}
}
