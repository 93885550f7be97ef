package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

/** Makes the commands of one session, each with the next number. */
final class TestSession {
    private final SessionId id;
    private final SessionSecret secret;
    private long lastNumber;
    private long answeredUpTo;

    TestSession(SessionId id, SessionSecret secret) {
        this.id = id;
        this.secret = secret;
    }

    SessionId id() {
        return id;
    }

    SessionSecret secret() {
        return secret;
    }

    /** From now on, the commands say that all answers so far have come. */
    void acknowledge() {
        answeredUpTo = lastNumber;
    }

    Command.Acquire acquire(String name) {
        return acquire(name, 1);
    }

    Command.Acquire acquire(String name, long owner) {
        return acquire(name, owner, true, 0);
    }

    Command.Acquire tryAcquire(String name) {
        return acquire(name, 1, false, 0);
    }

    Command.Acquire lease(String name, long maxHoldMillis) {
        return acquire(name, 1, true, maxHoldMillis);
    }

    private Command.Acquire acquire(String name, long owner, boolean queue, long maxHoldMillis) {
        return new Command.Acquire(
                id,
                ++lastNumber,
                answeredUpTo,
                new LockName(name),
                owner,
                queue,
                maxHoldMillis,
                "why");
    }

    Command.Release release(String name, long token) {
        return release(name, 1, token);
    }

    Command.Release release(String name, long owner, long token) {
        return new Command.Release(
                id, ++lastNumber, answeredUpTo, new LockName(name), owner, token);
    }

    Command.CancelAcquire cancel(Command.Acquire acquire) {
        return cancel(acquire.number());
    }

    Command.CancelAcquire cancel(long acquireNumber) {
        return new Command.CancelAcquire(id, ++lastNumber, answeredUpTo, acquireNumber);
    }

    Command.CloseSession close() {
        return new Command.CloseSession(id, secret);
    }
}
