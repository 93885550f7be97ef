package io.raftlock.server.raft;

/**
 * The space that a node's log can still take.
 *
 * @param freeBytes when last looked at, or -1 if that is not known
 * @param isLow whether that is so little that the node does not want to lead
 */
public record DiskSpace(long freeBytes, boolean isLow) {
    static final DiskSpace UNKNOWN = new DiskSpace(-1, false);

    private static final long MIB = 1 << 20;

    /** Returns a text for people, such as {@code 12 MiB}. */
    public String free() {
        return freeBytes < 0 ? "unknown" : mib(freeBytes);
    }

    static String mib(long bytes) {
        return bytes / MIB + " MiB";
    }
}
