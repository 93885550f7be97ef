package io.raftlock.bench.load;

/** The load could not be run to its end, so there is no figure to report. */
public final class LoadFailure extends RuntimeException {
    public LoadFailure(String message) {
        super(message);
    }

    public LoadFailure(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
