package io.raftlock.chaos.workload;

import io.raftlock.chaos.cluster.FrameConnection;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Response;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * One session that holds a lock, and many that wait for it, each on a connection of its own. Owned
 * by one thread.
 */
public final class WaitingLine {
    private static final Duration TTL = Duration.ofMinutes(5);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 50_000;

    private final LockName name;
    private final Deque<PlainSession> waiting = new ArrayDeque<>();
    private final List<PlainSession> all;
    private PlainSession holder;
    private long token;

    private record Place(PlainSession session, int position) {}

    private WaitingLine(LockName name, List<PlainSession> all, long token) {
        this.name = name;
        this.all = all;
        this.holder = all.get(0);
        this.token = token;
    }

    /** Opens a session on each connection; the first gets the lock and the others line up. */
    public static WaitingLine form(List<FrameConnection> connections, LockName name)
            throws InterruptedException, ExecutionException, TimeoutException {
        List<PlainSession> all =
                Batches.each(connections, BOUND, each -> PlainSession.open(each, TTL));
        Response granted = await(all.get(0).acquire(name));
        WaitingLine line =
                new WaitingLine(
                        name,
                        all,
                        PlainSession.as(Response.Granted.class, granted).grant().token());
        List<PlainSession> others = all.subList(1, all.size());
        List<Place> places = Batches.each(others, BOUND, each -> place(each, name));
        places.stream()
                .sorted(Comparator.comparing(Place::position))
                .forEach(place -> line.waiting.add(place.session));
        return line;
    }

    private static CompletableFuture<Place> place(PlainSession session, LockName name) {
        return session.acquire(name)
                .thenApply(
                        answer ->
                                new Place(
                                        session,
                                        PlainSession.as(Response.Queued.class, answer).position()));
    }

    /**
     * Has the holder release the lock, waits until the next one has it, and puts the former holder
     * at the end of the line.
     *
     * @return nanoseconds from the request to the push that tells the next one
     */
    public long passOn() throws InterruptedException, ExecutionException, TimeoutException {
        PlainSession former = holder;
        PlainSession next = waiting.removeFirst();
        long start = System.nanoTime();
        CompletableFuture<Response> released = former.release(name, token);
        FrameConnection.Push push = awaitPush(next);
        PlainSession.as(Response.Released.class, await(released));
        long nextToken = PlainSession.as(Response.Granted.class, push.response()).grant().token();
        if (nextToken <= token) {
            throw new IllegalStateException("token " + nextToken + " after " + token);
        }
        holder = next;
        token = nextToken;
        PlainSession.as(Response.Queued.class, await(former.acquire(name)));
        waiting.addLast(former);
        return push.nanos() - start;
    }

    /** Takes all that wait out of the line, and then releases the lock. */
    public void giveUp() throws InterruptedException, ExecutionException, TimeoutException {
        Batches.each(List.copyOf(waiting), BOUND, PlainSession::cancel)
                .forEach(answer -> PlainSession.as(Response.Cancelled.class, answer));
        waiting.clear();
        PlainSession.as(Response.Released.class, await(holder.release(name, token)));
    }

    /** Returns how many pushes came to anyone beside those that passed the lock on. */
    public int unexpectedPushes() {
        return all.stream().mapToInt(session -> session.connection().pushes().size()).sum();
    }

    private static FrameConnection.Push awaitPush(PlainSession session) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        FrameConnection.Push push = session.connection().pushes().poll();
        while (push == null) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("who is next in line was told nothing");
            }
            LockSupport.parkNanos(POLL_NANOS);
            push = session.connection().pushes().poll();
        }
        return push;
    }

    private static Response await(CompletableFuture<Response> answer)
            throws InterruptedException, ExecutionException, TimeoutException {
        return answer.get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }
}
