package io.raftlock.server;

/** What the process says when it ends, besides what it prints. Scripts rely on these. */
public final class ExitCode {
    /** Done, or stopped as asked. */
    public static final int OK = 0;

    /** {@code status}: no node says that it leads. */
    public static final int NO_LEADER = 1;

    /** Wrong arguments or configuration, or the node cannot start; nothing has been changed. */
    public static final int CANNOT_START = 2;

    /** The node cannot go on (a failing disk, a broken invariant) and stopped at once. */
    public static final int FATAL = 70;

    private ExitCode() {}
}
