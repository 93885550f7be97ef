package io.raftlock.chaos.run;

import io.raftlock.chaos.checker.InternalCheck;
import io.raftlock.chaos.client.ClientProcess;
import io.raftlock.chaos.fault.FaultTimeline;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.report.Progress;
import io.raftlock.chaos.report.Status;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Leads a run through its phases. One thread does everything that is done to nodes and clients, so
 * that what a run did has an order.
 */
final class Driver {
    private static final long PULSE_NANOS = 20_000_000;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final Duration START_BOUND = Duration.ofSeconds(90);
    private static final Duration WARM_UP = Duration.ofSeconds(3);
    private static final Duration BASELINE = Duration.ofSeconds(4);
    private static final Duration SETTLE = Duration.ofSeconds(3);
    private static final Duration RECOVERY_BOUND = Duration.ofSeconds(60);
    private static final Duration STOP_BOUND = Duration.ofSeconds(15);
    private static final Duration SWEEP_BOUND = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(20);

    private final Troupe troupe;
    private final Schedule schedule;
    private final Recorder recorder;
    private final Watchdog watchdog;
    private final Progress progress;
    private final Duration patience;
    private final long beganNanos = System.nanoTime();
    private FaultTimeline timeline;
    private Phase phase = Phase.START;
    private long phaseNanos;
    private long nextSecondNanos = beganNanos;
    private long answeredBefore;

    /**
     * @param patience the longest time to wait for anything once all is healed
     */
    Driver(
            Troupe troupe,
            Schedule schedule,
            Recorder recorder,
            Watchdog watchdog,
            Progress progress,
            Duration patience) {
        this.troupe = troupe;
        this.schedule = schedule;
        this.recorder = recorder;
        this.watchdog = watchdog;
        this.progress = progress;
        this.patience = patience;
        timeline = timelineOf(List.of());
    }

    private FaultTimeline timelineOf(List<Step> steps) {
        return new FaultTimeline(
                schedule.with(steps),
                System.nanoTime(),
                troupe.faults(),
                troupe::standing,
                recorder);
    }

    /** Goes through all phases; a phase that does not come to its end in time is noted. */
    void run() {
        begin(Phase.START);
        troupe.nodes().values().forEach(NodeSeat::start);
        until("a node leads", START_BOUND, () -> troupe.watcher().leader().isPresent());
        troupe.clients().values().forEach(ClientSeat::start);
        until("all clients had an answer", START_BOUND, this::allClientsAnswered);
        pass(WARM_UP);
        begin(Phase.BASELINE);
        pass(BASELINE);
        begin(Phase.FAULTS);
        timeline = timelineOf(schedule.steps());
        until(
                "the faults are over",
                Duration.ofMillis(schedule.lengthMillis()).plusSeconds(120),
                timeline::isOver);
        begin(Phase.RECOVERY);
        timeline.giveUp();
        until("all nodes run and follow one leader", RECOVERY_BOUND, this::isWhole);
        pass(SETTLE);
        begin(Phase.FINAL);
        letGo();
        sweep();
        begin(Phase.STOP);
        stopNodes();
        progress.end();
    }

    private boolean allClientsAnswered() {
        return troupe.clients().values().stream()
                .allMatch(seat -> recorder.hasAnswered(seat.client().client()));
    }

    private boolean isWhole() {
        Collection<NodeSeat> nodes = troupe.nodes().values();
        Set<String> leaders = new HashSet<>();
        nodes.forEach(node -> leaders.add(freshLeader(node.name())));
        return nodes.stream().allMatch(NodeSeat::isRunning)
                && leaders.size() == 1
                && !leaders.contains("");
    }

    /** As it was seen in this phase: before, the node can have been another process. */
    private String freshLeader(String node) {
        boolean isFresh = troupe.watcher().silentFor(node).toNanos() < SECOND_NANOS;
        return troupe.watcher()
                .latest(node)
                .filter(seen -> isFresh && seen.atNanos() - phaseNanos > 0)
                .map(Event.NodeSeen::leader)
                .orElse("");
    }

    /** All clients stop, and what the dead ones left has to go by itself. */
    private void letGo() {
        List<ClientSeat> running =
                troupe.clients().values().stream().filter(ClientSeat::isRunning).toList();
        running.forEach(ClientSeat::stop);
        until(
                "all clients have stopped",
                STOP_BOUND,
                () -> running.stream().noneMatch(ClientSeat::isRunning));
        awaitEmpty();
    }

    private void awaitEmpty() {
        until(
                "nothing is left of any client on any node",
                GRACE.plusMillis(2 * Clients.longestTtlMillis()),
                this::isEmpty);
    }

    /** Somebody new has to get each lock at once. */
    private void sweep() {
        ClientProcess sweeper = troupe.sweeper();
        sweeper.start();
        until("all locks were asked for once more", SWEEP_BOUND, recorder::hasSwept);
        if (sweeper.isRunning()) {
            sweeper.askToStop();
        }
        until("the last client has stopped", STOP_BOUND, () -> !sweeper.isRunning());
        awaitEmpty();
    }

    private boolean isEmpty() {
        return troupe.nodes().keySet().stream()
                .allMatch(
                        node ->
                                troupe.watcher()
                                        .latest(node)
                                        .filter(seen -> seen.sessions() == 0)
                                        .filter(seen -> seen.holds() + seen.waiters() == 0)
                                        .isPresent());
    }

    /** The leader goes last: while others stop, it has nobody to hand over to. */
    private void stopNodes() {
        String leader = troupe.standing().cast().leader().orElse("");
        stopThose(node -> !node.name().equals(leader));
        stopThose(node -> true);
    }

    private void stopThose(Predicate<NodeSeat> which) {
        List<NodeSeat> running =
                troupe.nodes().values().stream().filter(NodeSeat::isRunning).filter(which).toList();
        running.forEach(NodeSeat::stop);
        until(
                "nodes have stopped",
                STOP_BOUND,
                () -> running.stream().noneMatch(NodeSeat::isRunning));
    }

    private void begin(Phase next) {
        phase = next;
        phaseNanos = System.nanoTime();
        recorder.accept(new Event.PhaseBegan(phaseNanos, next));
    }

    private void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            pulse();
        }
    }

    private void until(String what, Duration usual, BooleanSupplier condition) {
        boolean isHealed = phase.compareTo(Phase.RECOVERY) >= 0;
        Duration bound = isHealed && usual.compareTo(patience) > 0 ? patience : usual;
        long end = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                recorder.accept(
                        new Event.Noted(
                                System.nanoTime(),
                                InternalCheck.INTERNAL,
                                phase.toString(),
                                "not within %d s: %s".formatted(bound.toSeconds(), what)));
                return;
            }
            pulse();
        }
    }

    private void pulse() {
        long now = System.nanoTime();
        troupe.tick(now);
        timeline.tick(now);
        if (now - nextSecondNanos >= 0) {
            nextSecondNanos = now + SECOND_NANOS;
            watchdog.look(now, timeline.hit());
            show(now);
        }
        LockSupport.parkNanos(PULSE_NANOS);
    }

    private void show(long nowNanos) {
        long answered = recorder.answered();
        FaultTimeline.Standing standing = troupe.standing();
        Collection<NodeSeat> nodes = troupe.nodes().values();
        progress.show(
                new Status(
                        Duration.ofNanos(nowNanos - beganNanos),
                        phase.toString().toLowerCase(Locale.ROOT),
                        timeline.now(),
                        answered - answeredBefore,
                        standing.cast().leader().orElse(""),
                        standing.term(),
                        (int) nodes.stream().filter(NodeSeat::isRunning).count(),
                        nodes.size(),
                        recorder.complaints()));
        answeredBefore = answered;
    }

    /** Returns about how long a run with that schedule takes. */
    static Duration expected(Schedule schedule) {
        return Duration.ofMillis(schedule.lengthMillis())
                .plus(BASELINE)
                .plus(SETTLE)
                .plusSeconds(25);
    }
}
