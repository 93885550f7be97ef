package io.raftlock.chaos.ledger;

import io.raftlock.server.lock.Command;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps who holds and who waits while the log is read, and remembers it all. It is told outcomes,
 * and draws no conclusions of its own about who is next: so it can be compared with the rules.
 */
final class HoldBook {
    private record Asker(long session, long number) {}

    private final Map<String, Held> holding = new HashMap<>();
    private final Map<Asker, Waited> waiting = new HashMap<>();
    private final Map<Long, Map<Long, String>> claims = new HashMap<>();
    private final List<Held> holds = new ArrayList<>();
    private final List<Waited> waits = new ArrayList<>();
    private final List<String> oddities = new ArrayList<>();

    void granted(Command.Acquire acquire, long token, long position) {
        start(
                new Held(
                        acquire.name().value(),
                        token,
                        acquire.session().value(),
                        acquire.number(),
                        NumberedCommand.callOf(acquire.metadata()),
                        position,
                        Held.NOT_ENDED,
                        End.NONE));
    }

    private void start(Held held) {
        Held before = holding.put(held.lock(), held);
        if (before != null) {
            oddities.add("%s was granted within the %s".formatted(held, before));
            holds.add(before);
        }
        claims(held.session()).put(held.number(), held.lock());
    }

    void queued(Command.Acquire acquire, int place, long position) {
        Waited wait =
                new Waited(
                        acquire.name().value(),
                        acquire.session().value(),
                        acquire.number(),
                        NumberedCommand.callOf(acquire.metadata()),
                        position,
                        place,
                        Held.NOT_ENDED,
                        End.NONE);
        waiting.put(new Asker(wait.session(), wait.number()), wait);
        claims(wait.session()).put(wait.number(), wait.lock());
    }

    void waiterGranted(long session, long number, long token, long position) {
        Waited wait = endWait(session, number, position, End.GRANTED);
        if (wait == null) {
            oddities.add(
                    "request %d of session %d was granted, but does not wait"
                            .formatted(number, session));
            return;
        }
        start(
                new Held(
                        wait.lock(),
                        token,
                        session,
                        number,
                        wait.call(),
                        position,
                        Held.NOT_ENDED,
                        End.NONE));
    }

    /** Ends the hold with that token, if it is still there. */
    void endHold(String lock, long token, long position, End how) {
        Held held = holding.get(lock);
        if (held != null && held.token() == token) {
            end(held, position, how);
        }
    }

    /** Ends what that acquire has come to, if it is still there: a wait or a hold. */
    void cancelled(long session, long number, long position) {
        endClaim(session, number, position, End.CANCELLED);
    }

    /** Ends all that the session holds and awaits. */
    void sessionEnded(long session, long position, End how) {
        for (long number : List.copyOf(claims(session).keySet())) {
            endClaim(session, number, position, how);
        }
        claims.remove(session);
    }

    private void endClaim(long session, long number, long position, End how) {
        String lock = claims(session).get(number);
        if (lock == null || endWait(session, number, position, how) != null) {
            return;
        }
        Held held = holding.get(lock);
        if (held != null && held.session() == session && held.number() == number) {
            end(held, position, how);
        }
    }

    private void end(Held held, long position, End how) {
        holding.remove(held.lock());
        claims(held.session()).remove(held.number());
        holds.add(held.endedAt(position, how));
    }

    private @Nullable Waited endWait(long session, long number, long position, End how) {
        Waited wait = waiting.remove(new Asker(session, number));
        if (wait != null) {
            claims(session).remove(number);
            waits.add(wait.endedAt(position, how));
        }
        return wait;
    }

    private Map<Long, String> claims(long session) {
        return claims.computeIfAbsent(session, id -> new TreeMap<>());
    }

    /** Returns all holds that there ever were, also those that have not ended. */
    List<Held> holds() {
        List<Held> all = new ArrayList<>(holds);
        all.addAll(holding.values());
        return all;
    }

    /** Returns all waits that there ever were, also those that have not ended. */
    List<Waited> waits() {
        List<Waited> all = new ArrayList<>(waits);
        all.addAll(waiting.values());
        return all;
    }

    /** Returns what the log's outcomes say and cannot be, in words. */
    List<String> oddities() {
        return List.copyOf(oddities);
    }
}
