package io.raftlock.bench.compare;

import java.util.Optional;

/** What went wrong, so that it can be a line of a protocol or of a table. */
final class OneLine {
    private OneLine() {}

    /** Returns the message of the failure, or its kind if it has none. */
    static String of(Throwable failure) {
        return Optional.ofNullable(failure.getMessage())
                .map(message -> message.strip().replaceAll("\\s+", " "))
                .filter(message -> !message.isEmpty())
                .orElseGet(() -> failure.getClass().getSimpleName());
    }
}
