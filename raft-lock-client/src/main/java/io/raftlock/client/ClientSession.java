package io.raftlock.client;

import io.netty.util.collection.LongObjectHashMap;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One session of a client, from the wish for it to its end: what was asked in it, what waits, what
 * is held. Owned by the loop; any thread may ask about its lease. When it has ended another one
 * takes its place, and nothing of this one carries over.
 */
final class ClientSession {
    /** A thread whose last acquire is being taken back is told that it still waits. */
    private static final int MAX_ASKED_ANEW = 10;

    private final Loop loop;
    private final RequestSender sender;
    private final Callbacks callbacks;
    private final Keeper keeper;
    private final SessionSecret secret;
    private final ClusterClock clock = new ClusterClock();

    /** What the cluster said is in a queue, by number, in the order to ask after it. */
    private final Map<Long, AcquireCall> queued = new LinkedHashMap<>();

    /** To be asked anew under another number, after a pause. */
    private final Set<AcquireCall> resting = new LinkedHashSet<>();

    private final LongObjectHashMap<Hold> holds = new LongObjectHashMap<>();
    private volatile @Nullable Opened opened;
    private volatile @Nullable LossReason ended;

    private record Opened(SessionId id, Lease lease) {}

    /** What is left of it: acquires that were never sent, and releases without an answer. */
    record Remains(List<AcquireCall> unsent, List<ReleaseCall> releases) {}

    /** Who opened the session and watches over it. */
    interface Keeper {
        /** The cluster counted a frame as a sign of life; the lease was extended if it could. */
        void confirmed(ClientSession session);

        void over(ClientSession session, LossReason reason);
    }

    ClientSession(
            Loop loop,
            LeaderLink link,
            Callbacks callbacks,
            SessionSecret secret,
            RandomGenerator random,
            Keeper keeper) {
        this.loop = loop;
        this.sender = new RequestSender(loop, link, random);
        this.callbacks = callbacks;
        this.secret = secret;
        this.keeper = keeper;
    }

    SessionSecret secret() {
        return secret;
    }

    /** Any thread. */
    Optional<SessionId> id() {
        return Optional.ofNullable(opened).map(Opened::id);
    }

    /** Any thread. */
    boolean isLeaseLive(long nowNanos) {
        Opened now = opened;
        return now != null && now.lease.isLive(nowNanos);
    }

    /** Any thread. */
    long leaseLeftNanos(long nowNanos) {
        Opened now = opened;
        return now == null ? 0 : now.lease.leftNanos(nowNanos);
    }

    /** Returns why it has ended, or null. Any thread. */
    @Nullable LossReason ended() {
        return ended;
    }

    /** Returns when it turns suspect unless confirmed, as a pause from now; 0 if it is. */
    long suspectInNanos(long nowNanos) {
        Opened now = opened;
        return now == null ? 0 : now.lease.suspectInNanos(nowNanos);
    }

    /** The cluster opened it, on the connection that there is. */
    void opened(SessionId id, long ttlNanos, long sentNanos) {
        opened = new Opened(id, new Lease(ttlNanos, sentNanos));
    }

    void attached() {
        id().ifPresent(sender::attached);
    }

    void detached() {
        sender.detached();
    }

    boolean isAttached() {
        return sender.isAttached();
    }

    void acquire(AcquireCall call) {
        call.join(this);
        sender.submit(call);
    }

    void release(ReleaseCall call) {
        LossReason over = ended;
        if (over != null) {
            call.lost(over);
            return;
        }
        holds.remove(call.hold().number());
        call.hold().forget();
        call.join(this);
        sender.submitEnding(call);
    }

    /** The caller is gone: nobody may own what its acquire gets. */
    void giveUp(AcquireCall call) {
        if (ended != null) {
            return;
        }
        if (!call.wasSent()) {
            sender.withdraw(call);
            resting.remove(call);
        } else if (call.startCancel()) {
            CancelCall cancel = new CancelCall(call);
            cancel.join(this);
            sender.submitEnding(cancel);
        }
    }

    /** Returns the numbers to ask after in the next keep-alive: some of them in turn if many. */
    List<Long> pending() {
        int count = Math.min(queued.size(), ProtocolLimits.MAX_PENDING_PER_KEEP_ALIVE);
        List<Long> numbers = new ArrayList<>(count);
        Iterator<Long> oldest = queued.keySet().iterator();
        while (numbers.size() < count) {
            numbers.add(oldest.next());
        }
        if (count < queued.size()) {
            numbers.forEach(number -> queued.put(number, queued.remove(number)));
        }
        return numbers;
    }

    void answered(NumberedRequest request, Response response, long sentNanos) {
        if (ended != null) {
            return;
        }
        if (response instanceof Response.Refused refused) {
            refused(request, refused);
        } else if (confirms(response)) {
            confirm(sentNanos);
            done(request, response, sentNanos);
        } else {
            sender.retry(request);
        }
    }

    private static boolean confirms(Response response) {
        return response instanceof Response.Granted
                || response instanceof Response.Queued
                || response instanceof Response.Released
                || response instanceof Response.Cancelled;
    }

    /** The session lived when that frame arrived, which was after it was sent. */
    private void confirm(long sentNanos) {
        Opened now = opened;
        if (now != null) {
            now.lease.confirm(loop.nanoTime(), sentNanos);
            keeper.confirmed(this);
        }
    }

    private void done(NumberedRequest request, Response response, long sentNanos) {
        if (ended != null || request.isAnswered()) {
            return;
        }
        if (request instanceof AcquireCall call) {
            acquireAnswered(call, response, sentNanos);
        } else if (request instanceof CancelCall cancel) {
            over(cancel.acquire());
            sender.settle(cancel);
        } else if (request instanceof ReleaseCall release) {
            sender.settle(release);
            release.outcome().complete(release.hold());
        }
    }

    private void acquireAnswered(AcquireCall call, Response response, long sentNanos) {
        if (response instanceof Response.Granted granted) {
            if (call.wasSentOnce()) {
                // To a retry the cluster gives its first answer, with the clock of that time.
                clock.sample(sentNanos, granted.clockMillis());
            }
            granted(call, granted.grant());
        } else if (response instanceof Response.Queued position) {
            call.stage(AcquireCall.Stage.QUEUED);
            queued.put(call.number(), call);
            sender.settle(call);
            call.options().tellProgress(new QueuePosition(position.position()), callbacks);
        }
    }

    private void refused(NumberedRequest request, Response.Refused refused) {
        ErrorCode code = refused.code();
        if (request.isAnswered()) {
            return;
        }
        if (code == ErrorCode.BUSY || code == ErrorCode.TOO_MANY_REQUESTS) {
            sender.retry(request);
        } else if (code == ErrorCode.SESSION_EXPIRED) {
            keeper.over(this, LossReason.SESSION_EXPIRED);
        } else if (request instanceof AcquireCall call) {
            acquireRefused(call, refused);
        } else if (request instanceof CancelCall cancel) {
            over(cancel.acquire());
            sender.settle(cancel);
        } else if (request instanceof ReleaseCall release) {
            sender.settle(release);
            releaseRefused(release, refused);
        }
    }

    private void acquireRefused(AcquireCall call, Response.Refused refused) {
        if (refused.code() == ErrorCode.ALREADY_HELD && call.countRetry() < MAX_ASKED_ANEW) {
            askAnew(call);
            return;
        }
        over(call);
        if (refused.code() == ErrorCode.NOT_AVAILABLE) {
            call.complete(Optional.empty());
        } else {
            call.fail(() -> Messages.refusal(call.name(), refused));
        }
    }

    private static void releaseRefused(ReleaseCall release, Response.Refused refused) {
        if (refused.code() == ErrorCode.NOT_HOLDER) {
            release.lost(LossReason.NO_LONGER_HELD);
        } else {
            release.outcome().fail(() -> Messages.refusal(release.hold().name(), refused));
        }
    }

    /** The owner's last acquire is still being taken back: its cancel overtakes this one. */
    private void askAnew(AcquireCall call) {
        over(call);
        if (call.outcome().isSettled()) {
            return;
        }
        call.stage(AcquireCall.Stage.ASKING);
        call.join(this);
        resting.add(call);
        Loop.Timer unused =
                loop.schedule(
                        () -> {
                            if (resting.remove(call)) {
                                sender.submit(call);
                            }
                        },
                        sender.retryPauseNanos(call));
    }

    /** A grant: as an answer, pushed, or in a keep-alive's answer, each maybe more than once. */
    private void granted(AcquireCall call, Response.Grant grant) {
        call.stage(AcquireCall.Stage.HELD);
        forget(call);
        Hold hold = holdOf(call, grant);
        LossReason over = hold.lossReason();
        if (over != null) {
            lost(call, over);
            giveUp(call);
            return;
        }
        holds.put(call.number(), hold);
        if (call.complete(Optional.of(hold))) {
            hold.atDeadline(() -> holdEnded(call.number(), LossReason.MAX_HOLD_REACHED));
        } else {
            // The caller gave up first; its cancel, sent or to be sent, frees the lock.
            holds.remove(call.number());
        }
    }

    private Hold holdOf(AcquireCall call, Response.Grant grant) {
        Long deadline =
                grant.deadlineMillis() == 0
                        ? null
                        : clock.localDeadline(
                                grant.deadlineMillis(),
                                call.firstSentNanos(),
                                call.options().maxHoldMillis());
        return new Hold(call, new FencingToken(grant.token()), loop, this, deadline);
    }

    /** The hold was over before its caller learnt of it. */
    private static void lost(AcquireCall call, LossReason reason) {
        if (call.isTry()) {
            call.complete(Optional.empty());
        } else {
            call.fail(() -> new LockLostException(call.name().value(), reason));
        }
    }

    /** The acquire neither waits nor holds, and never will. */
    private void over(AcquireCall call) {
        call.stage(AcquireCall.Stage.OVER);
        forget(call);
    }

    private void forget(AcquireCall call) {
        queued.remove(call.number());
        sender.settle(call);
    }

    void keptAlive(Response.KeptAlive answer, long sentNanos) {
        if (ended != null) {
            return;
        }
        clock.sample(sentNanos, answer.clockMillis());
        confirm(sentNanos);
        for (Response.Grant grant : answer.grants()) {
            pushed(grant);
        }
        for (long number : answer.gone()) {
            gone(number, LossReason.NO_LONGER_HELD);
        }
    }

    /** A grant that is no answer. One that is known already changes nothing. */
    void pushed(Response.Grant grant) {
        AcquireCall call = waiting(grant.number());
        if (ended != null || call == null) {
            return;
        }
        if (isLeaseLive(loop.nanoTime())) {
            granted(call, grant);
        } else {
            keeper.over(this, LossReason.LEASE_RAN_OUT);
        }
    }

    private @Nullable AcquireCall waiting(long number) {
        AcquireCall call = queued.get(number);
        return call == null && sender.find(number) instanceof AcquireCall asked ? asked : call;
    }

    /** It was in the queue, and neither waits nor holds any more. */
    private void gone(long number, LossReason reason) {
        AcquireCall call = queued.get(number);
        if (ended == null && call != null) {
            over(call);
            lost(call, reason);
        }
    }

    /** The cluster, or the clock, ended a hold that its owner did not release. */
    void holdEnded(long number, LossReason reason) {
        Hold hold = holds.remove(number);
        if (hold != null) {
            hold.lose(reason, callbacks);
        } else {
            gone(number, reason);
        }
    }

    /**
     * Ends it: what is held is lost, who waits is told, what was never sent is left for another
     * session.
     */
    Remains end(LossReason reason, Supplier<? extends RuntimeException> failure) {
        ended = reason;
        Opened now = opened;
        if (now != null) {
            now.lease.finish();
        }
        List<NumberedRequest> open = sender.unanswered();
        open.addAll(sender.takeUnsentEndings());
        queued.values().forEach(call -> call.fail(failure));
        open.forEach(request -> failAcquire(request, failure));
        holds.values().forEach(hold -> hold.lose(reason, callbacks));
        holds.clear();
        // Else a retry that is due later would be sent, on whatever connection there is then.
        sender.detached();
        List<AcquireCall> unsent = sender.takeUnsentAcquires();
        unsent.addAll(resting);
        resting.clear();
        return new Remains(
                unsent,
                open.stream()
                        .filter(ReleaseCall.class::isInstance)
                        .map(ReleaseCall.class::cast)
                        .toList());
    }

    private static void failAcquire(
            NumberedRequest request, Supplier<? extends RuntimeException> failure) {
        if (request instanceof AcquireCall call) {
            call.fail(failure);
        }
    }

    /** For logs. */
    @Override
    public String toString() {
        return id().map(SessionId::toString).orElse("(not open yet)");
    }
}
