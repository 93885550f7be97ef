package io.raftlock.chaos.checker;

import static io.raftlock.chaos.history.Operation.NEVER;

import io.raftlock.chaos.checker.LogPlaces.Placed;
import io.raftlock.chaos.history.Event.Noted;
import io.raftlock.chaos.history.Event.SessionSeen;
import io.raftlock.chaos.history.Operation;
import io.raftlock.chaos.ledger.End;
import io.raftlock.chaos.ledger.Held;
import io.raftlock.chaos.ledger.Ledger;
import io.raftlock.chaos.ledger.SessionLife;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * No session is ended as silent before its client was silent for the whole TTL. Keep-alives are in
 * no log, so this cannot see each of them. It sees:
 *
 * <ul>
 *   <li>by the clients' clock: an expiry that was applied less than a TTL after the client began a
 *       call which the log has before the expiry. When it was applied is known from others' calls
 *       that stand later in the log and were answered: at the latest then;
 *   <li>by the guard: a client whose guard said "held" after the log had ended the session or the
 *       hold. The guard counts from the last keep-alive that was confirmed, so this is the trace
 *       that keep-alives leave;
 *   <li>by the cluster clock: an expiry with a stamp less than a TTL after that of the session's
 *       last command. The leader may have heard that command before it stamped it, for as long at
 *       most as the call took;
 *   <li>a client that was told that its session has expired, which in the log it never did; or that
 *       noted by itself that its session ended before its lease.
 * </ul>
 *
 * <p>It does not see an early expiry of a session that sent keep-alives only, if its client asked
 * no guard afterwards and nobody's call came in between.
 */
final class ExpiryCheck implements Check {
    private static final String TOLD_EXPIRED = "SESSION_EXPIRED";
    private static final String EARLY = "early-expiry";

    /** Stamps and TTLs are whole milliseconds, and a tick can come that much early. */
    private static final long ROUNDING_MILLIS = 2;

    @Override
    public int invariant() {
        return 10;
    }

    @Override
    public String title() {
        return "no early expiry";
    }

    @Override
    public String description() {
        return "no session or lease ends before its time since its client was last heard";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "sessions, ended holds and reports");
        Look look = new Look(evidence, findings);
        evidence.ledger().sessions().values().forEach(look::session);
        evidence.ledger().holds().values().forEach(holds -> holds.forEach(look::hold));
        evidence.history().all(SessionSeen.class).forEach(look::told);
        evidence.history().all(Noted.class).forEach(look::noted);
        return findings.done();
    }

    /** What one look at a run needs to know. */
    private static final class Look {
        private final Evidence evidence;
        private final Ledger ledger;
        private final Findings findings;
        private final Excuses excuses;
        private final PositionTimes times;
        private final Map<Long, Placed> lastPlaces = new HashMap<>();

        Look(Evidence evidence, Findings findings) {
            this.evidence = evidence;
            this.findings = findings;
            ledger = evidence.ledger();
            excuses = new Excuses(evidence);
            List<Placed> placed = LogPlaces.of(evidence);
            times = new PositionTimes(placed);
            placed.forEach(this::remember);
        }

        /** Of the calls of each session, the one that its client began last. */
        private void remember(Placed placed) {
            long session = sessionOf(placed.call());
            lastPlaces.merge(
                    session,
                    placed,
                    (one, two) ->
                            one.call().invokedNanos() > two.call().invokedNanos() ? one : two);
        }

        private long sessionOf(Operation call) {
            Held held =
                    call.isAcquire()
                            ? evidence.holdsOf(call).stream().findFirst().orElse(null)
                            : ledger.hold(call.lock(), call.token());
            return held == null ? 0 : held.session();
        }

        void session(SessionLife session) {
            findings.look();
            if (session.how() != End.SESSION_EXPIRED) {
                return;
            }
            long endedBy = times.appliedByNanos(session.ended());
            Placed last = lastPlaces.get(session.id());
            if (last == null || last.position() >= session.ended()) {
                return;
            }
            long begin = last.call().invokedNanos();
            long ttl = shortest(session.ttlMillis());
            if (endedBy != NEVER
                    && endedBy - begin < TimeUnit.MILLISECONDS.toNanos(ttl)
                    && !excuses.excuse(session.client(), begin, endedBy)) {
                report(
                        "%s was ended by expiry at most %,d ms after %s began; its TTL is %,d ms"
                                .formatted(
                                        session,
                                        (endedBy - begin) / 1_000_000,
                                        last.call(),
                                        session.ttlMillis()),
                        last.call());
            }
            checkClock(session, last, ttl);
        }

        private void checkClock(SessionLife session, Placed last, long ttl) {
            Operation call = last.call();
            if (last.position() != session.lastCommand()
                    || last.settledNanos() == NEVER
                    || excuses.nodes(call.invokedNanos(), Long.MAX_VALUE)) {
                return;
            }
            long took = (last.settledNanos() - call.invokedNanos()) / 1_000_000 + 1;
            long silent =
                    ledger.clockMillis(session.ended()) - ledger.clockMillis(session.lastCommand());
            if (silent < ttl - took - ROUNDING_MILLIS) {
                report(
                        "%s was ended by expiry after %,d ms on the cluster clock; its TTL is %,d ms"
                                .formatted(session, silent, session.ttlMillis()),
                        call);
            }
        }

        private long shortest(long ttlMillis) {
            return ttlMillis * (100 - evidence.settings().ttlSlackPercent()) / 100;
        }

        void hold(Held held) {
            boolean ranOut = held.how() == End.SESSION_EXPIRED || held.how() == End.MAX_HOLD;
            Operation call = evidence.callOf(held);
            if (!ranOut || call == null) {
                return;
            }
            findings.look();
            OptionalLong until = evidence.history().believedUntil(call.call());
            long endedBy = times.appliedByNanos(held.ended());
            if (until.isPresent()
                    && until.getAsLong() > endedBy
                    && !excuses.excuse(call.client(), call.invokedNanos(), until.getAsLong())) {
                report(
                        "the guard of %s said that it holds %,d ms after the log had ended it: %s"
                                .formatted(
                                        call.client(),
                                        (until.getAsLong() - endedBy) / 1_000_000,
                                        held.how()),
                        call);
            }
        }

        void told(SessionSeen seen) {
            SessionLife session = ledger.sessions().get(seen.session());
            if (session == null || !seen.detail().contains(TOLD_EXPIRED)) {
                return;
            }
            findings.look();
            if (session.how() == End.NONE) {
                findings.add(
                        "%s was told that its session has expired, but the log has it open"
                                .formatted(session),
                        seen.atNanos(),
                        List.of());
            }
        }

        /** A client of the plain protocol counts its lease itself, and notes this. */
        void noted(Noted noted) {
            if (noted.kind().equals(EARLY)
                    && !excuses.excuse(noted.where(), noted.atNanos(), noted.atNanos())) {
                findings.add(
                        "%s: %s".formatted(noted.where(), noted.text()),
                        noted.atNanos(),
                        List.of());
            }
        }

        private void report(String what, Operation call) {
            findings.add(what, call.invokedNanos(), List.of(call.call()));
        }
    }
}
