package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.error.RemotingException;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what may be on its way to one peer, so that a slow one costs calls and not memory. Used by
 * any thread.
 */
final class SendWindow {
    /** The engine has a handful of calls per peer in flight: appends go one at a time. */
    static final int MAX_CALLS = 1_024;

    /** Frames that wait for the socket; a few of the longest. */
    static final long MAX_BYTES = 4L * Frame.MAX_FRAME_BYTES;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    boolean isOpen() {
        return calls.get() < MAX_CALLS && bytes.get() < MAX_BYTES;
    }

    /** Either side may be exceeded by as much as callers race in at once, which is a few frames. */
    void enter(int frameBytes) throws RemotingException {
        if (!isOpen()) {
            throw new RemotingException(calls + " calls, " + bytes + " bytes are on their way");
        }
        calls.incrementAndGet();
        bytes.addAndGet(frameBytes);
    }

    void frameLeft(int frameBytes) {
        bytes.addAndGet(-frameBytes);
    }

    void callEnded() {
        calls.decrementAndGet();
    }

    int calls() {
        return calls.get();
    }

    long bytes() {
        return bytes.get();
    }
}
