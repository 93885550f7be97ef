package io.raftlock.chaos.client;

import io.raftlock.chaos.store.StoreAnswer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** All parts of a client process. Started and told what to do by the thread that reads orders. */
final class ClientProgram {
    private static final Duration FINISH_BOUND = Duration.ofSeconds(3);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(3);

    private final Gate gate = new Gate();
    private final AtomicInteger resting = new AtomicInteger();
    private final List<Thread> actors = new ArrayList<>();
    private final ClientSettings settings;
    private final CallLog calls;
    private final StoreClient store;
    private final LockClients clients;
    private final Nodes nodes;

    /**
     * @param clockNanos of the history
     */
    ClientProgram(ClientSettings settings, LongSupplier clockNanos, LineOutput out) {
        this.settings = settings;
        calls = new CallLog(settings.client(), settings.life(), clockNanos, out::write);
        store = new StoreClient(out::write);
        clients = new LockClients(settings, calls);
        nodes = new Nodes(settings.endpoints());
    }

    /** Starts the actors, and returns. */
    void start() {
        WorkloadSpec spec = settings.workload();
        Random seeds = new Random(settings.seed());
        Workloads workloads = new Workloads(spec.kind(), clients, nodes, store);
        for (int i = 0; i < spec.actors(); i++) {
            Actor actor = new Actor(i, new Random(seeds.nextLong()), calls, gate, spec);
            Workload workload = workloads.of(actor);
            Thread thread = new Thread(() -> act(workload), "actor-" + i);
            thread.setDaemon(true);
            actors.add(thread);
        }
        actors.forEach(Thread::start);
    }

    void obey(Order order) {
        switch (order) {
            case STOP -> {
                gate.stop();
                // Not here: the store's answers have to be read meanwhile.
                new Thread(this::finish, "finish").start();
            }
            case QUIET -> gate.quiet(true);
            case GO -> gate.quiet(false);
        }
    }

    void answered(StoreAnswer answer) {
        store.answered(answer);
    }

    private void act(Workload workload) {
        while (!gate.isStopped()) {
            if (gate.isClosed()) {
                safely(workload::letGo);
                rest();
            } else {
                safely(workload::cycle);
            }
        }
        safely(workload::letGo);
    }

    private void rest() {
        if (resting.incrementAndGet() == actors.size()) {
            calls.noted("quiet", "all actors rest");
        }
        gate.awaitOpenOrStopped();
        resting.decrementAndGet();
    }

    private interface Step {
        void run() throws InterruptedException, TimeoutException;
    }

    /** What no actor should meet is told, and the actor goes on. */
    private void safely(Step step) {
        try {
            step.run();
        } catch (InterruptedException | TimeoutException | RuntimeException e) {
            e.printStackTrace();
            calls.noted("unexpected", e.toString());
        }
    }

    /** Lets actors finish; those that wait for a lock are woken by the closing of the clients. */
    private void finish() {
        try {
            join(FINISH_BOUND);
            boolean closed = clients.closeAll(CLOSE_BOUND);
            boolean ended = join(FINISH_BOUND);
            nodes.close();
            Runtime.getRuntime().halt(closed && ended ? 0 : ClientMain.STUCK);
        } catch (InterruptedException e) {
            Runtime.getRuntime().halt(ClientMain.STUCK);
        }
    }

    private boolean join(Duration bound) throws InterruptedException {
        long deadline = System.nanoTime() + bound.toNanos();
        for (Thread actor : actors) {
            actor.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
        return actors.stream().noneMatch(Thread::isAlive);
    }
}
