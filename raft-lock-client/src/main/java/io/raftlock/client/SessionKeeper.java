package io.raftlock.client;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Keeps one session open while there are calls that need one: opens it, speaks for it on each new
 * connection, renews it, and gives it up by the clock. Owned by the loop; any thread may ask for
 * the state.
 */
final class SessionKeeper implements LeaderLink.Owner, ClientSession.Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);
    private static final int KEEP_ALIVES_PER_TTL = 6;

    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONGEST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Loop loop;
    private final LeaderLink link;
    private final Callbacks callbacks;
    private final SessionEvents events;
    private final ClientMetadata metadata;
    private final long ttlNanos;
    private final RandomGenerator random;
    private final SecureRandom secrets = new SecureRandom();
    private final Backoff retryPauses;
    private final SessionCloser closer;
    private final List<ReleaseCall> releasesAtClose = new ArrayList<>();
    private volatile @Nullable ClientSession session;
    private volatile boolean closed;
    private volatile boolean lostOne;
    private Loop.Timer keepAliveTimer = Loop.Timer.NONE;
    private Loop.Timer watchTimer = Loop.Timer.NONE;
    private boolean suspect;
    private long periodNanos;

    /** When the last confirmation came, however long ago it was asked for. */
    private long heardNanos;

    private Runnable whenClosed = () -> {};

    SessionKeeper(
            Loop loop,
            LinkFactory links,
            Callbacks callbacks,
            SessionEvents events,
            ClientMetadata metadata,
            long ttlNanos,
            RandomGenerator random) {
        this.loop = loop;
        this.callbacks = callbacks;
        this.events = events;
        this.metadata = metadata;
        this.ttlNanos = ttlNanos;
        this.random = random;
        this.retryPauses = new Backoff(FIRST_RETRY_NANOS, LONGEST_RETRY_NANOS, 2, random);
        this.link = links.create(this);
        this.closer = new SessionCloser(loop, link, random, this::checkClosed);
    }

    /** Makes the link that tells its owner. */
    interface LinkFactory {
        LeaderLink create(LeaderLink.Owner owner);
    }

    /** Any thread. */
    @Nullable ClientSession session() {
        return session;
    }

    /** Any thread. */
    SessionState state() {
        ClientSession now = session;
        if (closed) {
            return SessionState.CLOSED;
        }
        if (now == null) {
            return lostOne ? SessionState.LOST : SessionState.NONE;
        }
        if (now.id().isEmpty()) {
            return SessionState.OPENING;
        }
        long nanos = loop.nanoTime();
        if (!now.isLeaseLive(nanos)) {
            return SessionState.LOST;
        }
        return now.suspectInNanos(nanos) == 0 ? SessionState.SUSPECT : SessionState.ACTIVE;
    }

    void acquire(AcquireCall call) {
        if (closed) {
            call.fail(Messages::closed);
        } else if (!call.outcome().isSettled()) {
            call.startTimer(loop, () -> giveUp(call));
            liveSession().acquire(call);
            link.want();
        }
    }

    void giveUp(AcquireCall call) {
        call.cancelTimer();
        ClientSession in = call.session();
        if (in != null) {
            in.giveUp(call);
        }
    }

    void release(ReleaseCall call) {
        call.hold().session().release(call);
    }

    private ClientSession liveSession() {
        ClientSession now = session;
        if (now != null && now.id().isPresent() && !now.isLeaseLive(loop.nanoTime())) {
            over(now, LossReason.LEASE_RAN_OUT);
            now = session;
        }
        return now == null ? newSession() : now;
    }

    private ClientSession newSession() {
        SessionSecret secret = new SessionSecret(secrets.nextLong(), secrets.nextLong());
        ClientSession created = new ClientSession(loop, link, callbacks, secret, random, this);
        session = created;
        if (link.isUp()) {
            open(created);
        }
        return created;
    }

    @Override
    public void linkUp() {
        closer.linkUp();
        ClientSession now = session;
        if (now != null) {
            speakFor(now);
        }
    }

    @Override
    public void linkDown() {
        ClientSession now = session;
        if (now != null) {
            now.detached();
        }
    }

    private void speakFor(ClientSession now) {
        now.id().ifPresentOrElse(id -> attach(now, id), () -> open(now));
    }

    private void open(ClientSession now) {
        link.send(
                new Request.OpenSession(
                        now.secret(), TimeUnit.NANOSECONDS.toMillis(ttlNanos), metadata),
                (response, sent) -> openAnswered(now, response, sent));
    }

    private void openAnswered(ClientSession now, Response response, long sentNanos) {
        if (now != session) {
            return;
        }
        if (response instanceof Response.SessionOpened opened) {
            retryPauses.reset();
            now.opened(
                    opened.session(), TimeUnit.MILLISECONDS.toNanos(opened.ttlMillis()), sentNanos);
            startTimers(now, TimeUnit.MILLISECONDS.toNanos(opened.ttlMillis()));
            attached(now);
        } else if (response instanceof Response.Refused refused
                && refused.code() != ErrorCode.BUSY) {
            openRefused(now, refused);
        } else {
            speakForLater(now);
        }
    }

    /** Calls wait for a session that the cluster will not open: better to tell them. */
    private void openRefused(ClientSession now, Response.Refused refused) {
        LOG.warn("the cluster refused to open a session: {}", Messages.of(refused));
        session = null;
        now.end(LossReason.SESSION_EXPIRED, () -> Messages.noSession(refused))
                .unsent()
                .forEach(call -> call.fail(() -> Messages.noSession(refused)));
    }

    private void attach(ClientSession now, SessionId id) {
        link.send(
                new Request.Attach(id, now.secret()),
                (response, sent) -> attachAnswered(now, response));
    }

    private void attachAnswered(ClientSession now, Response response) {
        if (now != session) {
            return;
        }
        if (response instanceof Response.Attached) {
            retryPauses.reset();
            attached(now);
        } else if (response instanceof Response.Refused refused
                && (refused.code() == ErrorCode.SESSION_EXPIRED
                        || refused.code() == ErrorCode.DENIED)) {
            over(now, LossReason.SESSION_EXPIRED);
        } else {
            speakForLater(now);
        }
    }

    private void attached(ClientSession now) {
        if (!now.isLeaseLive(loop.nanoTime())) {
            over(now, LossReason.LEASE_RAN_OUT);
            return;
        }
        link.served();
        now.attached();
        keepAlive(now);
    }

    private void speakForLater(ClientSession now) {
        // A leader that has lost its majority, and does not know it yet, answers like this.
        link.mistrust("cannot speak for the session");
        if (!link.isUp()) {
            return;
        }
        Loop.Timer unused =
                loop.schedule(
                        () -> {
                            if (now == session && link.isUp() && !now.isAttached()) {
                                speakFor(now);
                            }
                        },
                        retryPauses.nextNanos());
    }

    private void startTimers(ClientSession now, long grantedTtlNanos) {
        suspect = false;
        periodNanos = grantedTtlNanos / KEEP_ALIVES_PER_TTL;
        heardNanos = loop.nanoTime();
        keepAliveLater(now);
        watch(now);
    }

    private void keepAliveLater(ClientSession now) {
        keepAliveTimer.cancel();
        keepAliveTimer =
                loop.schedule(
                        () -> {
                            keepAliveLater(now);
                            keepAlive(now);
                        },
                        periodNanos);
    }

    private void keepAlive(ClientSession now) {
        SessionId id = now.id().orElse(null);
        if (id != null && now.isAttached()) {
            link.send(
                    new Request.KeepAlive(id, now.pending()),
                    (response, sent) -> keepAliveAnswered(now, response, sent));
        }
    }

    private void keepAliveAnswered(ClientSession now, Response response, long sentNanos) {
        if (response instanceof Response.KeptAlive kept) {
            now.keptAlive(kept, sentNanos);
        } else if (response instanceof Response.Refused refused
                && refused.code() == ErrorCode.SESSION_EXPIRED) {
            over(now, LossReason.SESSION_EXPIRED);
        }
    }

    /** Looks again when the session turns suspect, or is over, unless it is confirmed till then. */
    private void watch(ClientSession now) {
        long nanos = loop.nanoTime();
        if (!now.isLeaseLive(nanos)) {
            over(now, LossReason.LEASE_RAN_OUT);
            return;
        }
        long untilNext = now.suspectInNanos(nanos);
        if (untilNext == 0) {
            suspect(now, nanos);
            untilNext = Math.min(now.leaseLeftNanos(nanos), periodNanos);
        }
        watchTimer.cancel();
        watchTimer = loop.schedule(() -> watch(now), untilNext);
    }

    private void suspect(ClientSession now, long nanos) {
        if (!suspect) {
            suspect = true;
            LOG.warn("session {} is not confirmed any more", now);
            events.suspect(Duration.ofNanos(now.leaseLeftNanos(nanos)));
        }
        // A node whose confirmations come late is better than none: the next one has to be found,
        // and what is on its way from this one would be lost.
        if (nanos - heardNanos > 2 * periodNanos) {
            link.mistrust("did not confirm the session");
        }
    }

    @Override
    public void confirmed(ClientSession now) {
        long nanos = loop.nanoTime();
        heardNanos = nanos;
        if (!now.isLeaseLive(nanos)) {
            over(now, LossReason.LEASE_RAN_OUT);
        } else if (suspect && now.suspectInNanos(nanos) > 0) {
            suspect = false;
            events.recovered();
            watch(now);
        }
    }

    @Override
    public void over(ClientSession now, LossReason reason) {
        if (now != session) {
            return;
        }
        LOG.warn("session {} is lost: {}", now, reason);
        lostOne = true;
        session = null;
        stopTimers();
        ClientSession.Remains remains = now.end(reason, () -> new SessionExpiredException(reason));
        remains.releases().forEach(release -> release.lost(reason));
        events.lost(reason);
        if (reason == LossReason.LEASE_RAN_OUT) {
            closer.close(now);
        }
        remains.unsent().forEach(this::goOn);
    }

    /** A call that was never sent lost nothing with the session. */
    private void goOn(AcquireCall call) {
        if (!call.outcome().isSettled()) {
            liveSession().acquire(call);
            link.want();
        }
    }

    private void stopTimers() {
        keepAliveTimer.cancel();
        watchTimer.cancel();
        suspect = false;
    }

    @Override
    public void pushed(Response response) {
        ClientSession now = session;
        if (now == null) {
            return;
        }
        if (response instanceof Response.Granted granted) {
            now.pushed(granted.grant());
        } else if (response instanceof Response.HoldEnded ended) {
            now.holdEnded(ended.number(), LossReason.of(ended.reason()));
        } else if (response instanceof Response.SessionEnded ended
                && now.id().filter(ended.session()::equals).isPresent()) {
            over(now, LossReason.of(ended.reason()));
        }
    }

    /** Ends the session for good. The task runs once the cluster knows, or never. */
    void close(Runnable afterwards) {
        closed = true;
        whenClosed = afterwards;
        ClientSession now = session;
        session = null;
        stopTimers();
        if (now != null) {
            ClientSession.Remains remains = now.end(LossReason.CLIENT_CLOSED, Messages::closed);
            remains.unsent().forEach(call -> call.fail(Messages::closed));
            releasesAtClose.addAll(remains.releases());
            closer.close(now);
        }
        checkClosed();
    }

    /** Stops to try; what was not acknowledged till now stays unknown. */
    void shutDown() {
        releasesAtClose.forEach(
                release ->
                        release.outcome()
                                .fail(() -> Messages.unknownRelease(release.hold().name())));
        link.close();
    }

    private void checkClosed() {
        if (closed && closer.isDone()) {
            releasesAtClose.forEach(release -> release.outcome().complete(release.hold()));
            releasesAtClose.clear();
            whenClosed.run();
        }
    }
}
