package io.raftlock.chaos.fault;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Begins and ends the faults of a schedule when their time has come, and tells of it. Owned by the
 * driver's thread; what is due is told by an argument, and what was done is dated when it was.
 */
public final class FaultTimeline {
    /** Kind of the notes that say that a fault could not be done, or not be ended. */
    public static final String TOOL_FAILED = "fault-failed";

    private static final long LEADER_BOUND_NANOS = 3_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Injector injector;
    private final Supplier<Standing> standing;
    private final Consumer<Event> events;
    private final Deque<Planned> planned = new ArrayDeque<>();
    private final List<Running> running = new ArrayList<>();

    /**
     * Who there is, and the term.
     *
     * @param term of the leader, or 0
     */
    public record Standing(Cast cast, long term) {}

    private record Planned(int number, Step step, long atNanos) {}

    private record Running(Planned planned, Targets targets, Active active, long untilNanos) {}

    /**
     * @param fromNanos when the schedule begins
     * @param events told of what begins and ends
     */
    public FaultTimeline(
            Schedule schedule,
            long fromNanos,
            Injector injector,
            Supplier<Standing> standing,
            Consumer<Event> events) {
        this.injector = injector;
        this.standing = standing;
        this.events = events;
        long at = fromNanos;
        for (Step step : schedule.steps()) {
            at += step.afterMillis() * NANOS_PER_MILLI;
            planned.add(new Planned(planned.size(), step, at));
        }
    }

    /** Whether nothing is left to begin or to end. */
    public boolean isOver() {
        return planned.isEmpty() && running.isEmpty();
    }

    /** Returns the kinds of faults that are there now, for people. */
    public List<String> now() {
        return running.stream().map(each -> each.planned.step.kind().toString()).toList();
    }

    /** Returns the hosts to which something is done now. */
    public Set<String> hit() {
        Set<String> hit = new TreeSet<>();
        running.forEach(each -> hit.addAll(each.targets.all()));
        return hit;
    }

    /** Does what is due; called often. */
    public void tick(long nowNanos) {
        for (Iterator<Running> each = running.iterator(); each.hasNext(); ) {
            Running one = each.next();
            if (nowNanos - one.untilNanos >= 0) {
                each.remove();
                end(one);
            } else {
                one.active.tick(nowNanos);
            }
        }
        while (!planned.isEmpty() && nowNanos - planned.peek().atNanos >= 0) {
            if (!begin(planned.peek(), nowNanos)) {
                return;
            }
            planned.remove();
        }
    }

    /** Ends all faults that are there, and begins no more. */
    public void giveUp() {
        planned.clear();
        List<Running> left = List.copyOf(running);
        running.clear();
        left.forEach(this::end);
    }

    /** Returns false if the step has to wait, as nobody leads whom it is for. */
    private boolean begin(Planned next, long nowNanos) {
        Standing now = standing.get();
        Optional<Targets> targets = now.cast().of(next.step.role(), next.step.pick());
        if (targets.isEmpty()) {
            if (nowNanos - next.atNanos < LEADER_BOUND_NANOS) {
                return false;
            }
            tellBegan(next, nowNanos, "", now);
            tellEnded(next, "");
            return true;
        }
        tellBegan(next, nowNanos, targets.get().toString(), now);
        try {
            Active active = injector.begin(next.step, targets.get());
            long until = nowNanos + next.step.holdMillis() * NANOS_PER_MILLI;
            running.add(new Running(next, targets.get(), active, until));
        } catch (RuntimeException failure) {
            failed(next, failure);
        }
        return true;
    }

    private void end(Running one) {
        try {
            tellEnded(one.planned, one.active.end());
        } catch (RuntimeException failure) {
            failed(one.planned, failure);
        }
    }

    private void failed(Planned step, RuntimeException failure) {
        events.accept(
                new Event.Noted(
                        System.nanoTime(),
                        TOOL_FAILED,
                        step.step.kind().toString(),
                        String.valueOf(failure.getMessage())));
        tellEnded(step, "");
    }

    private void tellBegan(Planned step, long nowNanos, String targets, Standing now) {
        events.accept(
                new Event.FaultBegan(
                        nowNanos,
                        step.number,
                        step.step.kind().toString(),
                        targets,
                        now.cast().leader().orElse(""),
                        now.term()));
    }

    private void tellEnded(Planned step, String proof) {
        events.accept(
                new Event.FaultEnded(
                        System.nanoTime(), step.number, step.step.kind().toString(), proof));
    }
}
