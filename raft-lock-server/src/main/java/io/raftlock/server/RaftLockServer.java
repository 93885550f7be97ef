package io.raftlock.server;

import io.raftlock.server.admin.AdminListener;
import io.raftlock.server.metrics.ServerMetrics;
import io.raftlock.server.net.ClientListener;
import io.raftlock.server.net.ConnectedSessions;
import io.raftlock.server.net.FrontEnd;
import io.raftlock.server.raft.EntryObserver;
import io.raftlock.server.raft.FatalHandler;
import io.raftlock.server.raft.GroupSettings;
import io.raftlock.server.raft.Member;
import io.raftlock.server.raft.NodeStartException;
import io.raftlock.server.raft.RaftGroup;
import io.raftlock.server.raft.Tuning;
import io.raftlock.server.session.ClusterClock;
import io.raftlock.server.session.LeaderTime;
import io.raftlock.server.session.SessionTicker;
import io.raftlock.server.session.TickLoop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** One node: makes its parts, and knows who needs whom. The only place that sees them all. */
public final class RaftLockServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RaftLockServer.class);

    /** Of the ten seconds within which a node stops, what the log may take for itself. */
    private static final Duration LOG_STOP_LIMIT = Duration.ofSeconds(4);

    private final ServerConfig config;
    private final ClientListener listener;
    private final TickLoop tickLoop;
    private final RaftGroup group;
    private final NodeDescription description;
    private final ServerMetrics metrics;
    private final AdminListener admin = new AdminListener();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private RaftLockServer(ServerConfig config, FatalHandler fatal) {
        this.config = config;
        listener = new ClientListener(config.limits().connections());
        tickLoop = new TickLoop(failure -> fatal.fatal("the tick thread failed", failure));
        group = new RaftGroup(settings(config), fatal);
        description = new NodeDescription(config, group);
        metrics =
                new ServerMetrics(
                        group,
                        () -> group.diskSpace().freeBytes(),
                        listener::openConnections,
                        listener::acceptedConnections);
    }

    /**
     * Starts a node. It has then joined its cluster, or goes on trying to.
     *
     * @param fatal told if the node has to end because it cannot go on
     * @throws NodeStartException if it cannot start; nothing of it runs then
     */
    public static RaftLockServer start(ServerConfig config, FatalHandler fatal)
            throws NodeStartException {
        RaftLockServer server = new RaftLockServer(config, fatal);
        try {
            server.start();
        } catch (NodeStartException failure) {
            server.closeWithoutLog();
            throw failure;
        }
        return server;
    }

    private void start() throws NodeStartException {
        bindClients();
        if (config.adminAddress().isPresent()) {
            openAdmin(config.adminAddress().get());
        }
        LeaderTime time = new LeaderTime(System.nanoTime());
        ClusterClock clock = new ClusterClock();
        ConnectedSessions sessions = new ConnectedSessions(time);
        SessionTicker ticker =
                new SessionTicker(
                        new NodeTickerPort(group, sessions),
                        clock,
                        time,
                        tickLoop,
                        System.nanoTime());
        FrontEnd frontEnd =
                new FrontEnd(
                        description,
                        group,
                        clock,
                        time,
                        sessions,
                        (session, reply) -> {
                            if (!tickLoop.offer(() -> ticker.keepAlive(session, reply))) {
                                reply.unconfirmed();
                            }
                        });
        tickLoop.start(ticker::turn);
        group.start(
                new NodeEvents(clock, ticker, tickLoop, frontEnd, metrics),
                EntryObserver.onClassPath(),
                () -> clock.millis(System.nanoTime()));
        listener.open(frontEnd);
        EarlyClasses.loadInBackground();
        LOG.info(
                "node {} of cluster {} serves clients at {}, peers at {}, with data in {}",
                config.nodeId(),
                config.cluster(),
                config.clientAddress(),
                config.raftAddress(),
                config.dataDir());
    }

    private void bindClients() throws NodeStartException {
        HostPort address = config.clientAddress();
        try {
            listener.bind(resolved("client-address", address));
        } catch (IOException failure) {
            throw cannotListen("client-address", address, failure);
        }
    }

    private void openAdmin(HostPort address) throws NodeStartException {
        try {
            admin.open(
                    resolved("admin-address", address),
                    new NodePages(config.nodeId(), group, group::diskSpace, metrics));
        } catch (IOException failure) {
            throw cannotListen("admin-address", address, failure);
        }
    }

    private static InetSocketAddress resolved(String key, HostPort address)
            throws NodeStartException {
        InetSocketAddress resolved = address.resolve();
        if (resolved.isUnresolved()) {
            throw new NodeStartException(
                    "%s %s does not resolve: correct it, or the name service"
                            .formatted(key, address));
        }
        return resolved;
    }

    private static NodeStartException cannotListen(
            String key, HostPort address, IOException failure) {
        return new NodeStartException(
                "%s %s cannot be listened on: stop what uses it, or set another address (%s)"
                        .formatted(key, address, failure.getMessage()),
                failure);
    }

    private static GroupSettings settings(ServerConfig config) {
        return new GroupSettings(
                config.cluster(),
                config.nodeId(),
                config.members().stream().map(RaftLockServer::member).toList(),
                new GroupSettings.Storage(config.dataDir(), config.limits().lowDiskBytes()),
                new GroupSettings.Network(
                        config.raftAddress().host(),
                        GroupSettings.Network.PLAIN.security(),
                        GroupSettings.Network.PLAIN.faults()),
                new Tuning(
                        Tuning.DEFAULT.electionTimeoutMillis(),
                        Tuning.DEFAULT.electionDelayMillis(),
                        (int) config.snapshot().interval().toSeconds(),
                        config.snapshot().margin(),
                        Tuning.DEFAULT.entriesInFlight(),
                        config.limits().outstandingCommands()));
    }

    private static Member member(ServerConfig.Member member) {
        return new Member(member.id(), member.raft().host(), member.raft().port());
    }

    /**
     * Stops within ten seconds: takes nothing new, ends what is under way, hands leadership over.
     * The second call waits for the first.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            LOG.info("node {} stops", config.nodeId());
            group.stop(LOG_STOP_LIMIT);
            closeWithoutLog();
            LOG.info("node {} has stopped", config.nodeId());
            stopped.countDown();
        } else {
            awaitStop();
        }
    }

    private void closeWithoutLog() {
        listener.close();
        admin.close();
        metrics.close();
        tickLoop.close();
        description.close();
    }

    /** Returns when the node has been closed, or this thread is interrupted. */
    public void awaitStop() {
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
