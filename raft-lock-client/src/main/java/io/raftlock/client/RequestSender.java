package io.raftlock.client;

import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.SessionId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Numbers the requests of one session, sends them, and sends them again under the same number until
 * they are answered. Owned by the loop.
 *
 * <p>The cluster keeps each answer until it is told that the client has it, and bounds how many. So
 * the numbers under way are bounded here: acquires wait for room, and leave some to what ends
 * holds.
 */
final class RequestSender {
    private static final int SLOTS = ProtocolLimits.MAX_UNANSWERED_REQUESTS;
    private static final int MAX_ACQUIRES_IN_FLIGHT = SLOTS / 2;
    private static final int MAX_IN_FLIGHT = SLOTS - 192;
    private static final long FIRST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MAX_DOUBLINGS = 6;

    /** Longer than a node that answers nothing is waited for. */
    private static final long OVERDUE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final Loop loop;
    private final LeaderLink link;
    private final RandomGenerator random;

    /** The requests under way, each at its number modulo the length. */
    private final @Nullable NumberedRequest[] open = new NumberedRequest[SLOTS];

    private final Set<AcquireCall> acquires = new LinkedHashSet<>();
    private final ArrayDeque<NumberedRequest> endings = new ArrayDeque<>();
    private long lastNumber;
    private long answeredUpTo;
    private @Nullable SessionId attachedAs;

    /** Tells connections apart, so that a delayed retry knows that all was sent again meanwhile. */
    private long attachments;

    private boolean watching;

    RequestSender(Loop loop, LeaderLink link, RandomGenerator random) {
        this.loop = loop;
        this.link = link;
        this.random = random;
    }

    /** The connection speaks for the session now. */
    void attached(SessionId session) {
        attachedAs = session;
        attachments++;
        unanswered().forEach(this::send);
        sendWaiting();
    }

    /** The connection is lost, and with it every answer that was on its way. */
    void detached() {
        attachedAs = null;
    }

    boolean isAttached() {
        return attachedAs != null;
    }

    void submit(AcquireCall call) {
        acquires.add(call);
        sendWaiting();
    }

    /** For what ends a hold or a wait: goes before acquires that have not been sent. */
    void submitEnding(NumberedRequest request) {
        endings.add(request);
        sendWaiting();
    }

    /** Drops a call that was not sent yet. */
    void withdraw(AcquireCall call) {
        acquires.remove(call);
    }

    /** The request has its answer, or needs none any more. */
    void settle(NumberedRequest request) {
        if (request.isAnswered()) {
            return;
        }
        request.markAnswered();
        open[slot(request.number())] = null;
        while (answeredUpTo < lastNumber && open[slot(answeredUpTo + 1)] == null) {
            answeredUpTo++;
        }
        sendWaiting();
    }

    /** Asks again under the same number, a little later. */
    void retry(NumberedRequest request) {
        long attachment = attachments;
        Loop.Timer unused =
                loop.schedule(
                        () -> {
                            if (attachment == attachments) {
                                send(request);
                            }
                        },
                        retryPauseNanos(request));
    }

    /** Returns a pause that grows with the number of times the request was put off. */
    long retryPauseNanos(NumberedRequest request) {
        long longest = FIRST_RETRY_NANOS << Math.min(request.countRetry(), MAX_DOUBLINGS);
        return (long) (longest * (1 + random.nextDouble()) / 2);
    }

    /** Returns the request under way with this number, or null. */
    @Nullable NumberedRequest find(long number) {
        return number > answeredUpTo && number <= lastNumber ? open[slot(number)] : null;
    }

    /** Returns the requests that were sent and not answered, by number. */
    List<NumberedRequest> unanswered() {
        List<NumberedRequest> found = new ArrayList<>();
        for (long number = answeredUpTo + 1; number <= lastNumber; number++) {
            NumberedRequest request = open[slot(number)];
            if (request != null) {
                found.add(request);
            }
        }
        return found;
    }

    /** Returns and forgets the endings that were not sent. */
    List<NumberedRequest> takeUnsentEndings() {
        List<NumberedRequest> taken = new ArrayList<>(endings);
        endings.clear();
        return taken;
    }

    /** Returns and forgets the acquires that were not sent. */
    List<AcquireCall> takeUnsentAcquires() {
        List<AcquireCall> taken = new ArrayList<>(acquires);
        acquires.clear();
        return taken;
    }

    private void sendWaiting() {
        while (!endings.isEmpty() && hasRoom(MAX_IN_FLIGHT)) {
            sendFirst(endings.remove());
        }
        while (!acquires.isEmpty() && hasRoom(MAX_ACQUIRES_IN_FLIGHT)) {
            AcquireCall first = acquires.iterator().next();
            acquires.remove(first);
            sendFirst(first);
        }
    }

    private boolean hasRoom(int limit) {
        return attachedAs != null && lastNumber - answeredUpTo < limit;
    }

    private void sendFirst(NumberedRequest request) {
        lastNumber++;
        request.number(lastNumber, loop.nanoTime());
        open[slot(lastNumber)] = request;
        send(request);
    }

    private void send(NumberedRequest request) {
        if (attachedAs != null && !request.isAnswered() && !request.isMoot()) {
            request.countSend(loop.nanoTime());
            link.send(request.toRequest(attachedAs, answeredUpTo), request);
            watch();
        }
    }

    /** One answer may be lost while others arrive, so that the connection seems well. */
    private void watch() {
        if (!watching) {
            watching = true;
            Loop.Timer unused = loop.schedule(this::askAgainWhatIsOverdue, OVERDUE_NANOS);
        }
    }

    private void askAgainWhatIsOverdue() {
        watching = false;
        if (attachedAs == null) {
            return;
        }
        long now = loop.nanoTime();
        for (NumberedRequest request : unanswered()) {
            if (now - request.lastSentNanos() >= OVERDUE_NANOS) {
                send(request);
            }
            watch();
        }
    }

    private static int slot(long number) {
        return (int) (number & (SLOTS - 1));
    }
}
