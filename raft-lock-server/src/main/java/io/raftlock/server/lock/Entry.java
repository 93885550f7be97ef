package io.raftlock.server.lock;

import java.util.List;

/**
 * One log entry: commands that take effect one after the other.
 *
 * @param stampMillis the cluster clock of the leader when it made the entry
 */
public record Entry(long stampMillis, List<Command> commands) {
    public Entry {
        commands = List.copyOf(commands);
        Invariant.check(commands.size() <= LogPosition.MAX_BATCH, "an entry's batch is bounded");
    }
}
