package io.raftlock.examples;

/** First words of the lines that a {@link LockUser} reports by. */
enum Report {
    /** The id of the session; comes before each grant and each confirmed release. */
    SESSION,
    /** The place in the queue. */
    QUEUED,
    /** The token. */
    GRANTED,
    RELEASED,
    /** Milliseconds that the session lasts for sure. */
    SUSPECT,
    RECOVERED,
    /** Why the session is lost. */
    LOST,
    /** What went wrong. */
    FAILED
}
