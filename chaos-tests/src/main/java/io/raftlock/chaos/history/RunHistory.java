package io.raftlock.chaos.history;

import io.raftlock.chaos.history.Event.Action;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All events of one run, in order of time, with the calls put together. Immutable. */
public final class RunHistory {
    private final List<Event> events;
    private final List<String> problems;
    private final List<Operation> operations;
    private final Map<Long, Operation> byCall = new HashMap<>();
    private final Map<Long, Operation> retriedBy = new HashMap<>();
    private final Map<Long, Long> settledNanos = new HashMap<>();
    private final Map<Long, List<Event.Believed>> beliefs = new HashMap<>();
    private final List<FaultInterval> faults;
    private final Stalls stalls;

    private RunHistory(List<Event> recorded, List<String> known) {
        events = recorded.stream().sorted(Comparator.comparingLong(Event::atNanos)).toList();
        List<String> found = new ArrayList<>(known);
        operations = new OperationJoin(found).join(events);
        problems = List.copyOf(found);
        operations.forEach(operation -> byCall.put(operation.call(), operation));
        all(Event.Believed.class)
                .forEach(
                        belief ->
                                beliefs.computeIfAbsent(belief.call(), call -> new ArrayList<>())
                                        .add(belief));
        faults = joinFaults();
        stalls = Stalls.of(all(Event.MachineStalled.class).toList());
        linkRetries();
    }

    /** Returns the history of these events, which may come in any order. */
    public static RunHistory of(List<? extends Event> events) {
        return new RunHistory(List.copyOf(events), List.of());
    }

    /**
     * Returns the history that an {@link EventLog} left behind.
     *
     * @throws IOException if the file cannot be read at all
     */
    public static RunHistory read(Path file) throws IOException {
        RecordedEvents read = RecordedEvents.read(file);
        return new RunHistory(read.events(), read.problems());
    }

    /** Returns this history with further events, which were found out afterwards. */
    public RunHistory with(List<? extends Event> more) {
        List<Event> all = new ArrayList<>(events);
        all.addAll(more);
        return new RunHistory(all, problems);
    }

    private List<FaultInterval> joinFaults() {
        Map<Integer, Event.FaultEnded> ends = new HashMap<>();
        all(Event.FaultEnded.class).forEach(end -> ends.put(end.step(), end));
        return all(Event.FaultBegan.class)
                .map(began -> new FaultInterval(began, ends.get(began.step())))
                .toList();
    }

    private record Actor(String client, int actor) {}

    private void linkRetries() {
        Map<Actor, Operation> last = new HashMap<>();
        for (Operation operation : operations) {
            Actor actor = new Actor(operation.client(), operation.invoked().actor());
            if (operation.action() != Action.RETRY) {
                last.put(actor, operation);
            } else if (last.get(actor) != null) {
                Operation first = last.get(actor);
                retriedBy.put(operation.call(), first);
                if (operation.isOk()) {
                    settledNanos.merge(first.call(), operation.returnedNanos(), Math::min);
                }
            }
        }
    }

    /** Returns why it is not certain that all events are here, in words; empty if it is. */
    public List<String> problems() {
        return problems;
    }

    public List<Event> events() {
        return events;
    }

    /** Returns the events of one type, in order of time. */
    public <T extends Event> Stream<T> all(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast);
    }

    /** Returns all calls, in the order in which they began. */
    public List<Operation> operations() {
        return operations;
    }

    public @Nullable Operation operation(long call) {
        return byCall.get(call);
    }

    /**
     * Returns the call that a RETRY asks for again: its actor's last call before that was no retry
     * itself.
     */
    public Optional<Operation> retriedBy(Operation retry) {
        return Optional.ofNullable(retriedBy.get(retry.call()));
    }

    /**
     * Returns by when a call had its effect: when it came back with OK, or else when a retry of it
     * did; the end of time if neither has. What failed may have an effect that is taken back.
     */
    public long settledNanos(Operation operation) {
        return Math.min(
                operation.isOk() ? operation.returnedNanos() : Operation.NEVER,
                settledNanos.getOrDefault(operation.call(), Operation.NEVER));
    }

    /** Returns the calls on each lock, in the order in which they began. */
    public Map<String, List<Operation>> byLock() {
        Map<String, List<Operation>> byLock = new TreeMap<>();
        for (Operation operation : operations) {
            byLock.computeIfAbsent(operation.lock(), lock -> new ArrayList<>()).add(operation);
        }
        return byLock;
    }

    /** Returns what was noted of the hold that the call got, in order of time. */
    public List<Event.Believed> beliefs(long call) {
        return beliefs.getOrDefault(call, List.of());
    }

    /** Returns the last moment at which the client's guard said that it has the call's hold. */
    public OptionalLong believedUntil(long call) {
        return beliefs(call).stream().mapToLong(Event.Believed::atNanos).max();
    }

    /** Returns the steps of the schedule, in the order in which they began. */
    public List<FaultInterval> faults() {
        return faults;
    }

    /** Returns when the machine stood still; never, in a history of before that was noted. */
    public Stalls stalls() {
        return stalls;
    }

    /** Returns when the phase began, or empty if the run did not come so far. */
    public OptionalLong beganNanos(Event.Phase phase) {
        return all(Event.PhaseBegan.class)
                .filter(began -> began.phase() == phase)
                .mapToLong(Event::atNanos)
                .findFirst();
    }

    /** Returns the indexes at which nodes said what state they have, for a ledger to compare. */
    public Set<Long> digestIndexes() {
        Set<Long> indexes = new TreeSet<>();
        all(Event.NodeSeen.class).forEach(seen -> indexes.add(seen.appliedIndex()));
        return indexes;
    }

    /** Returns the time of the last event, or 0 without any. */
    public long endNanos() {
        return events.isEmpty() ? 0 : events.get(events.size() - 1).atNanos();
    }
}
