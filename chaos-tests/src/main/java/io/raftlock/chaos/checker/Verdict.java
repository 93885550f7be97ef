package io.raftlock.chaos.checker;

/** What a run has shown. */
public enum Verdict {
    /** Nothing is broken, and enough happened for that to mean something. */
    PASSED,
    /** Something is broken. */
    FAILED,
    /** Nothing is known to be broken, but the run was no test of it. */
    INVALID;

    /** A broken promise is one, however little else the run says. */
    static Verdict of(boolean broken, boolean valid) {
        if (broken) {
            return FAILED;
        }
        return valid ? PASSED : INVALID;
    }
}
