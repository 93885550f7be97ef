package io.raftlock.bench.peer;

import java.util.concurrent.CompletionStage;

/** A lock of some system, as a chain of futures uses it: one step at a time, on any thread. */
public interface AsyncPeerLock {

    /** Completes when the lock is had. */
    CompletionStage<?> acquire();

    /** Completes when the system has said that the lock is free. */
    CompletionStage<?> release();
}
