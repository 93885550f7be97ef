package io.raftlock.server.lock;

/** Checks that stay on in production: a node whose state makes no sense stops rather than lies. */
public final class Invariant {
    private Invariant() {}

    /**
     * Does nothing if the condition holds.
     *
     * @throws IllegalStateException if it does not
     */
    public static void check(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException("invariant broken: " + what);
        }
    }
}
