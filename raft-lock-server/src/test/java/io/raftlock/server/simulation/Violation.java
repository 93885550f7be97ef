package io.raftlock.server.simulation;

/** Something happened that must never happen. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    private Violation(String what) {
        super(what);
    }

    static void require(boolean holds, String what, Object... details) {
        if (!holds) {
            throw new Violation(what.formatted(details));
        }
    }
}
