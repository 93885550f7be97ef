package io.raftlock.bench.load;

/** The load could not be run to its end, so there is no figure to report. */
final class LoadFailure extends RuntimeException {
    LoadFailure(String message) {
        super(message);
    }

    LoadFailure(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
