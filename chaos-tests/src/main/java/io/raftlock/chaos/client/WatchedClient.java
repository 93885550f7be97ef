package io.raftlock.chaos.client;

import io.raftlock.client.DistributedLock;
import io.raftlock.client.LossReason;
import io.raftlock.client.RaftLockClient;
import io.raftlock.client.SessionListener;
import io.raftlock.protocol.SessionId;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The real client, and a report of what becomes of its sessions. For use by any thread. */
final class WatchedClient implements SessionListener, AutoCloseable {
    private final AtomicLong lastSession = new AtomicLong();
    private final RaftLockClient client;
    private final CallLog calls;

    WatchedClient(RaftLockClient client, CallLog calls) {
        this.client = client;
        this.calls = calls;
        client.addSessionListener(this);
    }

    DistributedLock lock(String name) {
        return client.lock(name);
    }

    /** Reports a session that was not seen before; ids grow from one session to the next. */
    void look() {
        long now = client.sessionId().map(SessionId::value).orElse(0L);
        long seen = lastSession.getAndAccumulate(now, Math::max);
        if (now > seen) {
            calls.session("OPEN", now, "");
        }
    }

    @Override
    public void onSuspect(Duration left) {
        look();
        calls.session("SUSPECT", lastSession.get(), left.toMillis() + " ms left");
    }

    @Override
    public void onRecovered() {
        calls.session("RECOVERED", lastSession.get(), "");
    }

    @Override
    public void onLost(LossReason reason) {
        calls.session("LOST", lastSession.get(), reason.name());
    }

    @Override
    public void close() {
        client.close();
    }
}
