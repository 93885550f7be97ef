package io.raftlock.client;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Tells the cluster of sessions that this client has given up, until it acknowledges, so that
 * nobody waits for their time to live. Owned by the loop.
 */
final class SessionCloser {
    /** Sessions that wait to be closed; the cluster finds out itself if there are more. */
    private static final int MAX_WAITING = 16;

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private final LeaderLink link;
    private final Backoff pauses;
    private final Runnable whenDone;
    private final Set<ClientSession> waiting = new LinkedHashSet<>();

    /** Runs the task each time there is nothing left to close. */
    SessionCloser(Loop loop, LeaderLink link, RandomGenerator random, Runnable whenDone) {
        this.loop = loop;
        this.link = link;
        this.whenDone = whenDone;
        this.pauses = new Backoff(FIRST_PAUSE_NANOS, LONGEST_PAUSE_NANOS, 2, random);
    }

    boolean isDone() {
        return waiting.isEmpty();
    }

    /** Closes it now, or as soon as there is a connection. */
    void close(ClientSession over) {
        if (over.id().isEmpty() || waiting.size() == MAX_WAITING) {
            return;
        }
        waiting.add(over);
        if (link.isUp()) {
            send(over);
        } else {
            link.want();
        }
    }

    void linkUp() {
        waiting.forEach(this::send);
    }

    private void send(ClientSession over) {
        over.id()
                .ifPresent(
                        id ->
                                link.send(
                                        new Request.CloseSession(id, over.secret()),
                                        (response, sent) -> answered(over, response)));
    }

    private void answered(ClientSession over, Response response) {
        if (response instanceof Response.SessionClosed
                || (response instanceof Response.Refused refused
                        && refused.code() != ErrorCode.BUSY)) {
            pauses.reset();
            waiting.remove(over);
            if (waiting.isEmpty()) {
                whenDone.run();
            }
            return;
        }
        Loop.Timer unused =
                loop.schedule(
                        () -> {
                            if (waiting.contains(over) && link.isUp()) {
                                send(over);
                            }
                        },
                        pauses.nextNanos());
    }
}
