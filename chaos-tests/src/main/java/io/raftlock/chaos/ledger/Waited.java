package io.raftlock.chaos.ledger;

/**
 * A place in a queue, as the log has it.
 *
 * @param enqueued position of the acquire
 * @param place in the queue that its sender was told; the head has 1
 * @param ended position of the command that ended the wait, or {@link Held#NOT_ENDED}
 * @param how {@link End#GRANTED} if the wait became a hold
 */
public record Waited(
        String lock,
        long session,
        long number,
        long call,
        long enqueued,
        int place,
        long ended,
        End how) {
    Waited endedAt(long position, End end) {
        return new Waited(lock, session, number, call, enqueued, place, position, end);
    }

    @Override
    public String toString() {
        return "wait for %s (session %d, call %d)".formatted(lock, session, call);
    }
}
