package io.raftlock.client;

/** The cluster, or the client on its behalf, said no. The call had no effect. */
public final class LockRefusedException extends LockException {
    private final RefusalCode code;

    LockRefusedException(RefusalCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Returns why, for programs. */
    public RefusalCode code() {
        return code;
    }
}
