package io.raftlock.chaos.store;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.StoreAction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A set for each lock, which clients read and then write under that lock. Each version of a set is
 * made from an earlier one and one element more, so versions are a tree; an element is lost when
 * the newest version does not descend from the one that added it. Version 1 is the empty set.
 *
 * <p>A guarded store refuses a read or write under a token below the greatest that it has seen of
 * that lock. Reads have to count as much as writes do: else a holder that was paused with its read
 * done could still write after the next holder has read and before that one writes, and its element
 * would be accepted and then lost. With reads counted, whoever has read knows that no write under
 * an older token comes after it.
 *
 * <p>An unguarded store accepts all, as a control. Owned by one thread.
 */
public final class FencedStore {
    /** The version that every set begins with. */
    public static final long FIRST_VERSION = 1;

    private final Map<String, Versions> byLock = new HashMap<>();
    private final boolean guarded;
    private final LongSupplier clockNanos;
    private final Consumer<Event> events;

    /**
     * @param events is told what the store does, before the client is
     */
    public FencedStore(boolean guarded, LongSupplier clockNanos, Consumer<Event> events) {
        this.guarded = guarded;
        this.clockNanos = clockNanos;
        this.events = events;
    }

    /**
     * Does what is asked, unless the token is refused.
     *
     * @throws IllegalArgumentException if a write is based on a version that there is not
     */
    public StoreAnswer answer(String client, StoreRequest request) {
        Versions versions = byLock.computeIfAbsent(request.lock(), unused -> new Versions());
        long version = versions.admits(request.token(), guarded) ? versions.apply(request) : 0;
        events.accept(
                new Event.Stored(
                        clockNanos.getAsLong(),
                        client,
                        request.lock(),
                        request.action(),
                        request.token(),
                        request.element(),
                        version,
                        request.basedOn(),
                        guarded));
        return new StoreAnswer(request.id(), version);
    }

    /** Returns the elements of the newest version. */
    public Set<Long> content(String lock) {
        Versions versions = byLock.get(lock);
        return versions == null ? Set.of() : versions.newestContent();
    }

    /** Returns the elements whose writes were accepted, and that the newest version has not. */
    public Set<Long> lost(String lock) {
        Versions versions = byLock.get(lock);
        return versions == null ? Set.of() : versions.lost();
    }

    /** The set of one lock. */
    private static final class Versions {
        private final List<Version> all = new ArrayList<>(List.of(new Version(0, 0)));
        private long greatestToken;

        private record Version(long element, long basedOn) {}

        boolean admits(long token, boolean guarded) {
            boolean admitted = !guarded || token >= greatestToken;
            greatestToken = Math.max(greatestToken, token);
            return admitted;
        }

        long apply(StoreRequest request) {
            if (request.action() == StoreAction.WRITE) {
                add(new Version(request.element(), request.basedOn()));
            }
            return all.size();
        }

        private void add(Version version) {
            if (version.basedOn < FIRST_VERSION || version.basedOn > all.size()) {
                throw new IllegalArgumentException("there is no version " + version.basedOn);
            }
            all.add(version);
        }

        Set<Long> newestContent() {
            Set<Long> content = new TreeSet<>();
            for (long at = all.size(); at > FIRST_VERSION; at = version(at).basedOn) {
                content.add(version(at).element);
            }
            return content;
        }

        Set<Long> lost() {
            Set<Long> lost = new TreeSet<>();
            all.subList(1, all.size()).forEach(version -> lost.add(version.element));
            lost.removeAll(newestContent());
            return lost;
        }

        private Version version(long number) {
            return all.get(Math.toIntExact(number - 1));
        }
    }
}
