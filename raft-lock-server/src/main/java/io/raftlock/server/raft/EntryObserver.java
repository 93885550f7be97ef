package io.raftlock.server.raft;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Sees every entry that this node applies, as it stands in the log: for an audit of who held what
 * and when, and for tests that compare what clients saw with what was decided. Nothing else keeps
 * that for long: snapshots take the place of entries, and the state forgets what is over.
 *
 * <p>Observers are found on the class path by {@link ServiceLoader}; the product comes with none.
 */
@FunctionalInterface
public interface EntryObserver {
    /**
     * An entry has been applied, and none of its effects has been answered yet. Called on the apply
     * thread, for which all clients wait. If it throws, the node stops: an audit has no gaps.
     *
     * <p>After a restart, entries that were seen before come once more from the last snapshot on.
     * Those that a snapshot of the leader's stands for do not come at all.
     *
     * @param index position in the log
     * @param term in which it was appended
     * @param entry its bytes, read only, and good during this call alone
     */
    void applied(long index, long term, ByteBuffer entry);

    /**
     * Returns a new instance of each observer on the class path.
     *
     * @throws NodeStartException if one cannot be made
     */
    static List<EntryObserver> onClassPath() throws NodeStartException {
        try {
            return ServiceLoader.load(EntryObserver.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
        } catch (ServiceConfigurationError broken) {
            Throwable cause = broken.getCause() == null ? broken : broken.getCause();
            throw new NodeStartException(
                    "an observer of entries cannot be made: correct it, or take it off the class"
                            + " path (%s: %s)".formatted(broken.getMessage(), cause),
                    broken);
        }
    }
}
