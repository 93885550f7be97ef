package io.raftlock.chaos.client;

/** No answer was had in time: the request may have had an effect, or have one yet. */
final class UnsettledException extends Exception {
    private static final long serialVersionUID = 1;

    UnsettledException(String message) {
        super(message);
    }
}
