package io.raftlock.chaos.ledger;

/**
 * A hold, as the log has it. Positions are those of {@code LogPosition}.
 *
 * @param token that the clean state machine gave it
 * @param call that asked for it, or 0 if that is not known
 * @param granted position of the command that granted it
 * @param ended position of the command that ended it, or {@link #NOT_ENDED}
 */
public record Held(
        String lock,
        long token,
        long session,
        long number,
        long call,
        long granted,
        long ended,
        End how) {
    public static final long NOT_ENDED = Long.MAX_VALUE;

    Held endedAt(long position, End end) {
        return new Held(lock, token, session, number, call, granted, position, end);
    }

    @Override
    public String toString() {
        return "hold of %s with token %d (session %d, call %d)"
                .formatted(lock, token, session, call);
    }
}
