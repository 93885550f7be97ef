package io.raftlock.server;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Response;
import io.raftlock.server.format.StateDigest;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Snapshot;
import io.raftlock.server.net.NodeFacts;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.ReplicatedLog;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a node says about itself. The digest of its state is computed on a thread of its own. */
final class NodeDescription implements NodeFacts, AutoCloseable {
    private static final int MAX_ASKED_AT_ONCE = 64;

    private final ServerConfig config;
    private final ReplicatedLog log;

    /** Of the thread that computes digests. */
    private @Nullable Look last;

    private final ThreadPoolExecutor digests =
            new ThreadPoolExecutor(
                    1,
                    1,
                    0,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(MAX_ASKED_AT_ONCE),
                    NodeDescription::thread);

    NodeDescription(ServerConfig config, ReplicatedLog log) {
        this.config = config;
        this.log = log;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "status");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Response welcome() {
        return new Response.Welcome(ProtocolLimits.VERSION, config.nodeId());
    }

    @Override
    public String ownAddress() {
        return config.self().client().toString();
    }

    @Override
    public String addressOfOther(String memberId) {
        return config.members().stream()
                .filter(member -> member.id().equals(memberId))
                // A node that cannot show that it leads must not send its clients to itself.
                .filter(member -> !member.id().equals(config.nodeId()))
                .map(member -> member.client().toString())
                .findFirst()
                .orElse("");
    }

    @Override
    public boolean allowsTtl(long ttlMillis) {
        return config.session().min().toMillis() <= ttlMillis
                && ttlMillis <= config.session().max().toMillis();
    }

    @Override
    public String ttlBounds() {
        return "a session's TTL has to be between %s and %s"
                .formatted(
                        DurationText.format(config.session().min()),
                        DurationText.format(config.session().max()));
    }

    @Override
    public void status(Consumer<Response> answer) {
        try {
            digests.execute(() -> answer.accept(status()));
        } catch (RejectedExecutionException tooMany) {
            answer.accept(
                    new Response.Refused(ErrorCode.BUSY, "too many ask for the status at once"));
        }
    }

    private Response status() {
        Leadership leadership = log.leadership();
        Look look = look();
        return new Response.NodeStatus(
                config.nodeId(),
                leadership.role(),
                leadership.term(),
                leadership.leaderId(),
                look.appliedIndex(),
                look.digest(),
                look.sessions(),
                look.holds(),
                look.waiters());
    }

    /** A look at a large state is dear, so it is good for ten times as long as it took. */
    private Look look() {
        Look known = last;
        if (known != null && known.isFresh(System.nanoTime())) {
            return known;
        }
        long nowNanos = System.nanoTime();
        Look fresh = Look.at(log.read(LockStateMachine::snapshot), nowNanos);
        last = fresh;
        return fresh;
    }

    private record Look(
            long appliedIndex,
            String digest,
            int sessions,
            int holds,
            int waiters,
            long takenNanos,
            long tookNanos) {
        private static final int REST = 10;

        static Look at(Snapshot state, long nowNanos) {
            return new Look(
                    state.appliedIndex(),
                    StateDigest.of(state),
                    state.sessions().size(),
                    state.locks().size(),
                    state.locks().stream().mapToInt(lock -> lock.waiters().size()).sum(),
                    nowNanos,
                    System.nanoTime() - nowNanos);
        }

        boolean isFresh(long nowNanos) {
            return nowNanos - takenNanos < REST * tookNanos;
        }
    }

    @Override
    public void close() {
        digests.shutdownNow();
    }
}
