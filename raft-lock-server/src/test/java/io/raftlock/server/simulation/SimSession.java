package io.raftlock.server.simulation;

import static io.raftlock.server.simulation.Violation.require;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One session of a client, from the first attempt to open it to the answer to its close. Whether it
 * still lives is judged by the client's own clock, counted from the sending of what was answered.
 */
final class SimSession {
    private static final double MARGIN = 0.99;

    /** Upper bound of how fast the cluster clock runs beside this client's. */
    private static final double FASTEST = 1.0102;

    private final SimClient client;
    private final SimCluster cluster;
    private final Chance chance;
    private final SessionSecret secret;
    private final long ttlMillis;

    /** How readily it tries another node when one does not answer. */
    private final double fickleness;

    private final boolean leisurely;
    private final List<SimThread> threads = new ArrayList<>();
    private final Map<Long, Consumer<Outcome>> unanswered = new TreeMap<>();
    private SessionId id;
    private long leaseUntilNanos;
    private double clockAtZero = Double.MAX_VALUE;
    private long lastNumber;
    private int target;
    private boolean ending;
    private boolean closed;

    SimSession(SimClient client, int threadCount, long ttlMillis) {
        this.client = client;
        this.ttlMillis = ttlMillis;
        cluster = client.cluster;
        chance = client.chance;
        fickleness = chance.percent(50) ? 3 : 40;
        leisurely = client.simulation.isQuiet() && chance.percent(60);
        secret = new SessionSecret(chance.number(), chance.number());
        for (int number = 1; number <= threadCount; number++) {
            threads.add(new SimThread(this, number));
        }
        open(client.now());
    }

    SimClient client() {
        return client;
    }

    SessionId id() {
        return id;
    }

    /** Whether its threads say little, so that it lives by keep-alives alone. */
    boolean isLeisurely() {
        return leisurely;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether the client believes that the session lives. */
    boolean isUsable() {
        return id != null && !ending && client.now() < leaseUntilNanos;
    }

    /** Whether the session is lost or closed. Once it is, it stays so. */
    boolean isOver() {
        if (!ending && !isUsable()) {
            end();
        }
        return ending;
    }

    /** The most that the cluster clock can show now. */
    boolean isBefore(long deadlineMillis) {
        return clockAtZero + client.now() * FASTEST
                < (double) TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    }

    // -- the session itself

    private SimNode node() {
        return cluster.nodes.get(Math.floorMod(target, cluster.nodes.size()));
    }

    private void open(long firstSentNanos) {
        if (client.isDead() || id != null) {
            return;
        }
        if (client.isFinishing()) {
            closed = true; // whatever becomes of the open, nobody uses it
            ending = true;
            return;
        }
        Command open =
                new Command.OpenSession(secret, ttlMillis, new ClientMetadata("sim", "sim", 1));
        SimNode to = node();
        cluster.network.send(() -> to.request(open, null, reply -> opened(reply, firstSentNanos)));
        retry(() -> open(firstSentNanos));
    }

    private void opened(Reply reply, long firstSentNanos) {
        if (client.isDead() || id != null || ending) {
            return;
        }
        if (reply instanceof Reply.Done done
                && done.outcome() instanceof Outcome.SessionOpened opened) {
            id = opened.session();
            heard(firstSentNanos, done.clockMillis());
            keepAlive();
            threads.forEach(SimThread::start);
        } else {
            moveOn(reply);
        }
    }

    private void heard(long sentNanos, long clockMillis) {
        long ttlNanos = (long) (TimeUnit.MILLISECONDS.toNanos(ttlMillis) * MARGIN);
        leaseUntilNanos = Math.max(leaseUntilNanos, sentNanos + ttlNanos);
        double clockNanos = TimeUnit.MILLISECONDS.toNanos(clockMillis + 1);
        clockAtZero = Math.min(clockAtZero, clockNanos - sentNanos * FASTEST);
    }

    private void keepAlive() {
        if (client.isDead() || isOver()) {
            return;
        }
        if (client.isFinishing()
                && unanswered.isEmpty()
                && threads.stream().allMatch(SimThread::isIdle)) {
            end();
            return;
        }
        sendKeepAlive();
        long nanos = TimeUnit.MILLISECONDS.toNanos(ttlMillis) / 4;
        client.timeline.in(client.clock.trueNanos(nanos), this::keepAlive);
    }

    private void sendKeepAlive() {
        List<Long> pending =
                threads.stream().filter(SimThread::isQueued).map(SimThread::number).toList();
        Map<SimThread, Long> granted = new LinkedHashMap<>();
        threads.stream()
                .filter(thread -> thread.isQueued() && thread.isGranted(cluster.history))
                .forEach(thread -> granted.put(thread, thread.number()));
        long sentNanos = client.now();
        SimNode to = node();
        boolean[] answered = {false};
        cluster.network.send(
                () ->
                        to.keepAlive(
                                id,
                                pending,
                                reply -> {
                                    kept(reply, sentNanos, answered);
                                    checkTold(reply, granted);
                                }));
        client.timeline.inMillis(
                ttlMillis / 8,
                () -> {
                    if (!answered[0] && !client.isDead() && !ending) {
                        target += chance.percent(2 * fickleness) ? 1 : 0;
                        sendKeepAlive();
                    }
                });
    }

    private void kept(Reply reply, long sentNanos, boolean[] answered) {
        if (client.isDead() || ending) {
            return;
        }
        if (reply instanceof Reply.Alive alive) {
            answered[0] = true;
            heard(sentNanos, alive.clockMillis());
            threads.forEach(thread -> thread.learn(alive.pending()));
        } else if (reply instanceof Reply.Expired) {
            answered[0] = true;
            end();
        } else if (!answered[0]) {
            moveOn(reply);
        }
    }

    /**
     * Whoever has been granted its lock learns of it by the next keep-alive at the latest (H12).
     */
    private void checkTold(Reply reply, Map<SimThread, Long> granted) {
        if (reply instanceof Reply.Alive && !client.isDead() && !ending) {
            granted.forEach(
                    (thread, number) ->
                            require(
                                    !thread.isQueued() || thread.number() != number,
                                    "%s waits for a lock that it has",
                                    thread));
        }
    }

    /** Gives the session up for good, whether it is lost or not needed any more. */
    private void end() {
        ending = true;
        unanswered.clear();
        close();
        if (!client.isFinishing()) {
            client.openSession();
        }
    }

    private void close() {
        if (client.isDead() || closed) {
            return;
        }
        SimNode to = node();
        Command close = new Command.CloseSession(id, secret);
        cluster.network.send(() -> to.request(close, id, this::closeAnswered));
        retry(this::close);
    }

    private void closeAnswered(Reply reply) {
        if (reply instanceof Reply.Done) {
            closed = true;
        } else {
            moveOn(reply);
        }
    }

    private void moveOn(Reply reply) {
        if (reply instanceof Reply.AskAgain again) {
            target = chance.percent(80) ? again.leaderHint() : target + 1;
        }
    }

    private void retry(Runnable action) {
        long millis = chance.between(30, 400);
        client.timeline.inMillis(
                millis,
                () -> {
                    if (chance.percent(fickleness)) {
                        target++;
                    }
                    action.run();
                });
    }

    // -- requests

    long nextNumber() {
        return ++lastNumber;
    }

    long answeredUpTo() {
        return unanswered.isEmpty() ? lastNumber : unanswered.keySet().iterator().next() - 1;
    }

    /** Asks until there is an answer, always under the same number. */
    void ask(Command.Numbered command, Consumer<Outcome> onAnswer) {
        unanswered.put(command.number(), onAnswer);
        send(command);
    }

    private void send(Command.Numbered command) {
        if (client.isDead() || !unanswered.containsKey(command.number())) {
            return;
        }
        if (isOver()) {
            return;
        }
        long sentNanos = client.now();
        SimNode to = node();
        cluster.network.send(
                () -> to.request(command, id, reply -> answered(command, reply, sentNanos)));
        retry(() -> send(command));
    }

    private void answered(Command.Numbered command, Reply reply, long sentNanos) {
        if (client.isDead()) {
            return;
        }
        if (!(reply instanceof Reply.Done done)) {
            moveOn(reply);
            return;
        }
        cluster.history.checkAnswer(id, command.number(), done.outcome());
        if (ending) {
            return;
        }
        if (done.outcome().equals(new Outcome.Refused(ErrorCode.SESSION_EXPIRED))) {
            end();
            return;
        }
        heard(sentNanos, done.clockMillis());
        Consumer<Outcome> waiting = unanswered.get(command.number());
        if (waiting != null && isSettledBy(done.outcome())) {
            unanswered.remove(command.number());
            waiting.accept(done.outcome());
        }
    }

    /** Some clients take "queued" for an answer, others go on asking until they are granted. */
    private boolean isSettledBy(Outcome outcome) {
        return !(outcome instanceof Outcome.Queued) || chance.percent(50);
    }

    void settle(long number) {
        unanswered.remove(number);
    }

    void pushed(Notice.WaiterGranted granted) {
        if (!ending && granted.session().equals(id)) {
            threads.forEach(
                    thread ->
                            thread.granted(
                                    granted.number(), granted.token(), granted.deadlineMillis()));
        }
    }

    void checkBeliefs() {
        if (!isUsable()) {
            return;
        }
        require(!cluster.history.isEnded(id), "session %s has ended under its client", id);
        threads.stream()
                .filter(SimThread::believesToHold)
                .forEach(thread -> SimClient.requireHeld(cluster.history, thread));
    }
}
