package io.raftlock.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The nodes that a client knows: those it was given, and those it was told of. Owned by the loop;
 * any thread may read {@link #failures}.
 */
final class Endpoints {
    /** More than the nodes of a cluster that was replaced node by node a few times. */
    private static final int MAX_LEARNT = 16;

    private final List<Address> given;
    private final List<Address> all;
    private final Map<Address, Failure> failures = new ConcurrentHashMap<>();
    private int at;

    private record Failure(String reason, long whenNanos) {}

    Endpoints(List<Address> given, RandomGenerator random) {
        this.given = List.copyOf(given);
        this.all = new ArrayList<>(this.given);
        // Many clients with one configuration do not all start with the same node.
        this.at = random.nextInt(all.size());
    }

    /** Returns the nodes one after the other, round and round. */
    Address next() {
        at = (at + 1) % all.size();
        return all.get(at);
    }

    /** Remembers a node that another one named. */
    void learn(Address address) {
        if (all.contains(address)) {
            return;
        }
        if (all.size() == given.size() + MAX_LEARNT) {
            failures.remove(all.remove(given.size()));
        }
        all.add(address);
        at = at % all.size();
    }

    void failed(Address address, String reason, long nowNanos) {
        failures.put(address, new Failure(reason, nowNanos));
    }

    void worked(Address address) {
        failures.remove(address);
    }

    boolean failedWithin(Address address, long nanos, long nowNanos) {
        Failure failure = failures.get(address);
        return failure != null && nowNanos - failure.whenNanos < nanos;
    }

    /** Returns what went wrong with each node, for people. Any thread. */
    String failures() {
        return given.stream().map(this::describe).collect(Collectors.joining(", "));
    }

    private String describe(Address address) {
        Failure failure = failures.get(address);
        return failure == null ? address.toString() : address + " (" + failure.reason + ")";
    }
}
