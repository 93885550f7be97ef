package io.raftlock.chaos.ledger;

/**
 * A session, as the log has it.
 *
 * @param client name that the client gave itself
 * @param opened position of the command that opened it, which is its id
 * @param ended position of the command that ended it, or {@link Held#NOT_ENDED}
 * @param lastCommand position of the last command that came from the session itself
 */
public record SessionLife(
        long id,
        String client,
        long ttlMillis,
        long opened,
        long ended,
        End how,
        long lastCommand) {
    SessionLife spokeAt(long position) {
        return new SessionLife(id, client, ttlMillis, opened, ended, how, position);
    }

    SessionLife endedAt(long position, End end) {
        return new SessionLife(id, client, ttlMillis, opened, position, end, lastCommand);
    }

    @Override
    public String toString() {
        return "%s's session %d".formatted(client, id);
    }
}
