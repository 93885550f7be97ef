package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.history.Event.Returned;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.NumberedCommand;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.server.lock.Outcome;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Where in the log each call had its effect: a grant, where the lock became the caller's, which can
 * be later than where it asked; a release or a refusal, where it stands.
 */
final class LogPlaces {
    /**
     * A call with its place.
     *
     * @param settledNanos when somebody knew of the effect, or the end of time
     */
    record Placed(Operation call, long position, long settledNanos) {}

    private final Evidence evidence;
    private final Map<Release, List<Operation>> releases = new HashMap<>();
    private final List<Placed> placed = new ArrayList<>();

    private record Release(String lock, long token) {}

    private LogPlaces(Evidence evidence) {
        this.evidence = evidence;
    }

    /** Returns all calls whose effect is in the log, in the order of their places. */
    static List<Placed> of(Evidence evidence) {
        LogPlaces places = new LogPlaces(evidence);
        evidence.history().operations().forEach(places::place);
        places.releases.forEach(places::placeRelease);
        places.placed.sort(Comparator.comparingLong(Placed::position));
        return places.placed;
    }

    private void place(Operation call) {
        if (call.isAcquire()) {
            for (Held held : evidence.holdsOf(call)) {
                placed.add(new Placed(call, held.granted(), settled(call)));
            }
            if (call.result() == Result.FAIL) {
                placeRefusal(call, ErrorCode.NOT_AVAILABLE);
            }
        } else if (isToldNotHeld(call)) {
            placeRefusal(call, ErrorCode.NOT_HOLDER);
        } else if (call.action() == Action.RELEASE) {
            releases.computeIfAbsent(
                            new Release(call.lock(), call.token()), key -> new ArrayList<>())
                    .add(call);
        }
    }

    private void placeRefusal(Operation call, ErrorCode code) {
        Long position = refusal(call, code, evidence);
        Returned returned = call.returned();
        if (position != null && returned != null) {
            placed.add(new Placed(call, position, returned.atNanos()));
        }
    }

    /**
     * Whether the cluster said that there was nothing to release, whatever the caller made of it.
     */
    static boolean isToldNotHeld(Operation call) {
        return call.action() == Action.RELEASE
                && (call.result() == Result.FAIL
                        || call.detail().contains("NOT_HOLDER")
                        || call.detail().contains("NO_LONGER_HELD"));
    }

    private long settled(Operation call) {
        return evidence.history().settledNanos(call);
    }

    /** Of a hold that was entered again, the last release is the one that frees the lock. */
    private void placeRelease(Release release, List<Operation> calls) {
        Held held = evidence.ledger().hold(release.lock, release.token);
        Long position = held == null ? null : released(release.lock, release.token, evidence);
        if (position != null) {
            Operation last = calls.get(calls.size() - 1);
            placed.add(new Placed(last, position, settled(last)));
        }
    }

    /** Returns where the hold was released, or null if it was not. */
    static @Nullable Long released(String lock, long token, Evidence evidence) {
        return first(
                evidence.ledger().releasesOf(lock, token),
                outcome -> outcome instanceof Outcome.Released);
    }

    /** Returns where the call's request was refused with that code, or null if it was not. */
    static @Nullable Long refusal(Operation call, ErrorCode code, Evidence evidence) {
        List<NumberedCommand> requests =
                call.isAcquire()
                        ? evidence.ledger().acquiresOf(call.call())
                        : evidence.ledger().releasesOf(call.lock(), call.token());
        return first(requests, new Outcome.Refused(code)::equals);
    }

    private static @Nullable Long first(List<NumberedCommand> requests, Predicate<Outcome> which) {
        return requests.stream()
                .flatMap(request -> request.applications().stream())
                .filter(application -> which.test(application.outcome()))
                .map(NumberedCommand.Application::position)
                .min(Long::compare)
                .orElse(null);
    }
}
