package io.raftlock.examples;

/** The demonstration does not go as it should. The message says how, for people. */
final class DemoFailure extends RuntimeException {
    DemoFailure(String message) {
        super(message);
    }

    DemoFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
