package io.raftlock.client;

import io.raftlock.protocol.EndReason;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** What the nodes of a {@link FakeCluster} replicate: sessions, locks, answers. All on the loop. */
final class FakeLocks {
    final Map<SessionId, Session> sessions =
            new TreeMap<>((a, b) -> Long.compare(a.value(), b.value()));

    private final Loop loop;
    private final long startNanos;
    private final List<String> violations;
    private final BiConsumer<Session, Response> push;
    private final Map<LockName, Lock> locks = new HashMap<>();
    private long index = 100;

    static final class Session {
        final SessionId id;
        final SessionSecret secret;
        final long ttlMillis;
        final Map<Long, Request> asked = new TreeMap<>();
        final TreeMap<Long, Response> answers = new TreeMap<>();
        long answeredUpTo;
        long lastSeenNanos;
        FakeCluster.FakeConnection connection;

        Session(SessionId id, SessionSecret secret, long ttlMillis) {
            this.id = id;
            this.secret = secret;
            this.ttlMillis = ttlMillis;
        }
    }

    private static final class Lock {
        final LockName name;
        Waiter holder;
        long token;
        long deadlineMillis;
        final Deque<Waiter> queue = new ArrayDeque<>();

        Lock(LockName name) {
            this.name = name;
        }

        boolean isHeldBy(Session session, long number) {
            return holder != null && holder.isOf(session, number);
        }
    }

    private record Waiter(Session session, Request.Acquire acquire) {
        boolean isOwner(Waiter other) {
            return session == other.session && acquire.owner() == other.acquire.owner();
        }

        boolean isOf(Session of, long number) {
            return session == of && acquire.number() == number;
        }
    }

    /**
     * @param push tells a session's client of what it did not ask
     */
    FakeLocks(Loop loop, List<String> violations, BiConsumer<Session, Response> push) {
        this.loop = loop;
        this.startNanos = loop.nanoTime();
        this.violations = violations;
        this.push = push;
    }

    // What tests ask and do.

    boolean isHeld(String name) {
        return locks.containsKey(new LockName(name));
    }

    /** Tells whether that session holds the lock. */
    boolean isHeldBy(SessionId id, String name) {
        Lock lock = locks.get(new LockName(name));
        return lock != null && lock.holder.session.id.equals(id);
    }

    int waiters(String name) {
        Lock lock = locks.get(new LockName(name));
        return lock == null ? 0 : lock.queue.size();
    }

    /** Names that nobody holds are not kept. */
    private Lock lock(LockName name) {
        return locks.computeIfAbsent(name, Lock::new);
    }

    /** A stranger takes the lock, or gets in line for it, in a session that lives for ever. */
    void strangerLocks(String name) {
        SessionId id = new SessionId(++index);
        Session stranger = new Session(id, new SessionSecret(0, index), Long.MAX_VALUE / 2_000_000);
        sessions.put(id, stranger);
        stranger.lastSeenNanos = loop.nanoTime();
        Request.Acquire acquire =
                new Request.Acquire(id, 1, 0, new LockName(name), 1, true, 0, "stranger");
        Lock lock = lock(acquire.name());
        lock.queue.add(new Waiter(stranger, acquire));
        grantNext(lock, null);
    }

    /** Whoever holds the lock releases it. */
    void strangerUnlocks(String name) {
        free(locks.get(new LockName(name)));
    }

    void expire(SessionId id) {
        end(sessions.get(id), EndReason.SESSION_EXPIRED);
    }

    /** Forgets everything, as if all disks were replaced. Numbers start again, too. */
    void wipe() {
        sessions.clear();
        locks.clear();
        index = 100;
    }

    // Time.

    long clockMillis() {
        return 1_000 + TimeUnit.NANOSECONDS.toMillis(loop.nanoTime() - startNanos);
    }

    /** A new leader gives every session its whole time again. */
    void renewAll() {
        sessions.values().forEach(session -> session.lastSeenNanos = loop.nanoTime());
    }

    void tick() {
        endOldHolds();
        expireSilent();
    }

    private void expireSilent() {
        for (Session session : new ArrayList<>(sessions.values())) {
            long silent = TimeUnit.NANOSECONDS.toMillis(loop.nanoTime() - session.lastSeenNanos);
            if (silent > session.ttlMillis) {
                end(session, EndReason.SESSION_EXPIRED);
            }
        }
    }

    private void endOldHolds() {
        for (Lock lock : new ArrayList<>(locks.values())) {
            if (lock.deadlineMillis != 0 && clockMillis() >= lock.deadlineMillis) {
                Waiter over = lock.holder;
                push.accept(
                        over.session,
                        new Response.HoldEnded(
                                over.acquire.number(), lock.token, EndReason.MAX_HOLD_REACHED));
                free(lock);
            }
        }
    }

    // Sessions.

    Response open(FakeCluster.FakeConnection from, Request.OpenSession open) {
        Session session =
                sessions.values().stream()
                        .filter(each -> each.secret.equals(open.secret()))
                        .findFirst()
                        .orElseGet(() -> newSession(open));
        sessions.put(session.id, session);
        session.connection = from;
        session.lastSeenNanos = loop.nanoTime();
        return new Response.SessionOpened(session.id, session.ttlMillis);
    }

    private Session newSession(Request.OpenSession open) {
        return new Session(new SessionId(++index), open.secret(), open.ttlMillis());
    }

    Response attach(FakeCluster.FakeConnection from, Request.Attach attach) {
        Session session = sessions.get(attach.session());
        if (session == null) {
            return refused(ErrorCode.SESSION_EXPIRED);
        }
        if (!session.secret.equals(attach.secret())) {
            return refused(ErrorCode.DENIED);
        }
        session.connection = from;
        return new Response.Attached(session.id);
    }

    Response close(Request.CloseSession close) {
        Session session = sessions.get(close.session());
        if (session != null && !session.secret.equals(close.secret())) {
            return refused(ErrorCode.DENIED);
        }
        if (session != null) {
            session.connection = null;
            end(session, EndReason.SESSION_CLOSED);
        }
        return new Response.SessionClosed();
    }

    private void end(Session session, EndReason reason) {
        sessions.remove(session.id);
        push.accept(session, new Response.SessionEnded(session.id, reason));
        for (Lock lock : new ArrayList<>(locks.values())) {
            lock.queue.removeIf(waiter -> waiter.session == session);
            if (lock.holder.session == session) {
                free(lock);
            }
        }
    }

    // Requests that take effect once.

    Response once(Session session, Request request) {
        if (request instanceof Request.Acquire acquire) {
            return once(
                    session,
                    acquire.number(),
                    acquire.answeredUpTo(),
                    acquire,
                    () -> acquire(session, acquire));
        }
        if (request instanceof Request.Release release) {
            return once(
                    session,
                    release.number(),
                    release.answeredUpTo(),
                    release,
                    () -> release(session, release));
        }
        Request.CancelAcquire cancel = (Request.CancelAcquire) request;
        return once(
                session,
                cancel.number(),
                cancel.answeredUpTo(),
                cancel,
                () -> cancel(session, cancel));
    }

    private Response once(
            Session session,
            long number,
            long answeredUpTo,
            Request request,
            Supplier<Response> apply) {
        if (number <= session.answeredUpTo) {
            violations.add("asked again what it had the answer of: " + request);
            return refused(ErrorCode.ALREADY_COMPLETED);
        }
        if (answeredUpTo >= number || answeredUpTo < 0) {
            violations.add("answeredUpTo is not below the number: " + request);
        }
        session.answeredUpTo = Math.max(session.answeredUpTo, answeredUpTo);
        session.answers.headMap(session.answeredUpTo, true).clear();
        Request first = session.asked.putIfAbsent(number, sameContent(request));
        if (first != null && !first.equals(sameContent(request))) {
            violations.add("another request under a used number: " + request + " after " + first);
        }
        if (session.answers.size() > 8_192) {
            violations.add("too many unanswered");
        }
        Response earlier = session.answers.get(number);
        if (earlier != null) {
            return earlier;
        }
        Response answer = apply.get();
        session.answers.put(number, answer);
        return answer;
    }

    /** A retry may know more answers than the first try did. */
    private static Request sameContent(Request request) {
        if (request instanceof Request.Acquire a) {
            return new Request.Acquire(
                    a.session(),
                    a.number(),
                    0,
                    a.name(),
                    a.owner(),
                    a.queue(),
                    a.maxHoldMillis(),
                    a.metadata());
        }
        if (request instanceof Request.Release r) {
            return new Request.Release(r.session(), r.number(), 0, r.name(), r.owner(), r.token());
        }
        Request.CancelAcquire c = (Request.CancelAcquire) request;
        return new Request.CancelAcquire(c.session(), c.number(), 0, c.acquireNumber());
    }

    private Response acquire(Session session, Request.Acquire acquire) {
        Lock lock = lock(acquire.name());
        Waiter waiter = new Waiter(session, acquire);
        boolean again =
                (lock.holder != null && waiter.isOwner(lock.holder))
                        || lock.queue.stream().anyMatch(waiter::isOwner);
        if (again) {
            return refused(ErrorCode.ALREADY_HELD);
        }
        if (!acquire.queue() && lock.holder != null) {
            return refused(ErrorCode.NOT_AVAILABLE);
        }
        lock.queue.add(waiter);
        Response granted = grantNext(lock, waiter);
        return granted == null ? new Response.Queued(lock.queue.size()) : granted;
    }

    private Response release(Session session, Request.Release release) {
        Lock lock = locks.get(release.name());
        if (lock == null
                || lock.holder.session != session
                || lock.holder.acquire.owner() != release.owner()
                || lock.token != release.token()) {
            return refused(ErrorCode.NOT_HOLDER);
        }
        free(lock);
        return new Response.Released();
    }

    private Response cancel(Session session, Request.CancelAcquire cancel) {
        long number = cancel.acquireNumber();
        // Also when it has not arrived yet: then it finds that it has been answered.
        if (number > session.answeredUpTo) {
            session.answers.put(number, refused(ErrorCode.CANCELLED));
        }
        for (Lock lock : new ArrayList<>(locks.values())) {
            lock.queue.removeIf(each -> each.isOf(session, number));
            if (lock.isHeldBy(session, number)) {
                free(lock);
            }
        }
        return new Response.Cancelled();
    }

    Response keptAlive(Session session, Request.KeepAlive keepAlive) {
        List<Response.Grant> grants = new ArrayList<>();
        List<Long> gone = new ArrayList<>();
        for (long number : keepAlive.pending()) {
            Lock held =
                    locks.values().stream()
                            .filter(lock -> lock.isHeldBy(session, number))
                            .findFirst()
                            .orElse(null);
            if (held != null) {
                grants.add(grantOf(held));
            } else if (!waits(session, number)) {
                gone.add(number);
            }
        }
        return new Response.KeptAlive(clockMillis(), grants, gone);
    }

    private boolean waits(Session session, long number) {
        return locks.values().stream()
                .flatMap(lock -> lock.queue.stream())
                .anyMatch(waiter -> waiter.isOf(session, number));
    }

    private void free(Lock lock) {
        lock.holder = null;
        grantNext(lock, null);
    }

    private Response.Granted grantNext(Lock lock, Waiter asking) {
        if (lock.holder != null) {
            return null;
        }
        if (lock.queue.isEmpty()) {
            locks.remove(lock.name);
            return null;
        }
        Waiter next = lock.queue.remove();
        lock.holder = next;
        lock.token = ++index << 12;
        long hold = next.acquire.maxHoldMillis();
        lock.deadlineMillis = hold == 0 ? 0 : clockMillis() + hold;
        Response.Granted granted = new Response.Granted(grantOf(lock), clockMillis());
        if (next != asking) {
            // A retry is told what has become of the acquire.
            next.session.answers.computeIfPresent(next.acquire.number(), (key, old) -> granted);
            push.accept(next.session, granted);
        }
        return granted;
    }

    private static Response.Grant grantOf(Lock lock) {
        return new Response.Grant(lock.holder.acquire.number(), lock.token, lock.deadlineMillis);
    }

    static Response refused(ErrorCode code) {
        return new Response.Refused(code, "says the fake cluster");
    }
}
