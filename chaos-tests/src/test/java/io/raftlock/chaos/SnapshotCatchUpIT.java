package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeConnection;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.host.Await;
import io.raftlock.client.LockGrant;
import io.raftlock.client.RaftLockClient;
import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.Response.NodeStatus;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** A node that was away for so long that the log was cut gets a snapshot, and then leads by it. */
class SnapshotCatchUpIT {
    private static final List<String> OFTEN =
            List.of("snapshot:", "  interval: 1s", "  margin: 50");
    private static final Pattern TAKEN = Pattern.compile("Snapshot taken");
    private static final Pattern LOADED = Pattern.compile("Snapshot loaded at entry (\\d+)");
    private static final int SNAPSHOTS_WHILE_AWAY = 3;
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Duration TTL = Duration.ofSeconds(30);

    private static final SessionSecret SECRET = new SessionSecret(4711, 4712);
    private static final LockName NUMBERED = new LockName("numbered");

    private RaftLockClient client(ProcessCluster cluster, String name) {
        return RaftLockClient.builder()
                .endpoints(cluster.endpoints())
                .sessionTtl(TTL)
                .clientName(name)
                .build();
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.MINUTES)
    void aNodeThatCaughtUpBySnapshotLeadsWithTheSameState() throws Exception {
        ClusterRun.onThreeNodes("snapshot-catch-up", OFTEN, this::run);
    }

    private void run(ProcessCluster cluster) throws Exception {
        NodeProcess away = aFollower(cluster);
        try (RaftLockClient holder = client(cluster, "holder");
                RaftLockClient first = client(cluster, "first");
                RaftLockClient second = client(cluster, "second");
                RaftLockClient third = client(cluster, "third")) {
            LockGrant goneWhenItReturns = holder.lock("ghost").acquire();
            write(holder);
            long leftAt = cluster.awaitAgreement().appliedIndex();
            away.terminate();
            away.awaitExit(BOUND);

            goneWhenItReturns.release();
            LockGrant held = holder.lock("queue").acquire();
            List<CompletableFuture<LockGrant>> queue = new ArrayList<>();
            for (RaftLockClient each : List.of(first, second, third)) {
                queue.add(each.lock("queue").acquireAsync());
                awaitWaiters(cluster, queue.size());
            }
            long numberedToken = acquireByNumber(cluster.awaitLeader(BOUND));
            writeUntilTheLogIsCut(cluster, holder);

            catchUp(cluster, away, leftAt);
            makeLead(cluster, away, holder);
            assertThat(acquireByNumber(away))
                    .as("a retry under the same number gets the first answer")
                    .isEqualTo(numberedToken);
            passOn(held, queue);
        }
        closeNumbered(away);
        cluster.start();
        NodeStatus end = cluster.awaitAgreement();
        assertThat(end.holds()).isZero();
        assertThat(end.waiters()).isZero();
    }

    private static void catchUp(ProcessCluster cluster, NodeProcess away, long leftAt) {
        away.start();
        NodeStatus all = cluster.awaitAgreement();
        assertThat(all.holds()).as("\"queue\" and \"numbered\", but not \"ghost\"").isEqualTo(2);
        assertThat(all.waiters()).isEqualTo(3);
        long installed = lastSnapshotLoaded(away);
        assertThat(installed)
                .as("position of the last snapshot that %s loaded", away.spec().id())
                .isGreaterThan(leftAt);
        System.out.printf(
                "%s left at entry %d, got a snapshot of entry %d; all agree at entry %d: %s%n",
                away.spec().id(), leftAt, installed, all.appliedIndex(), all.digest());
    }

    private static NodeProcess aFollower(ProcessCluster cluster) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        return cluster.nodes().stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private static void awaitWaiters(ProcessCluster cluster, int count) {
        Await.until(
                count + " wait",
                BOUND,
                () -> cluster.statuses().stream().anyMatch(status -> status.waiters() == count));
    }

    private static void writeUntilTheLogIsCut(ProcessCluster cluster, RaftLockClient client) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long goal = snapshotsTaken(leader) + SNAPSHOTS_WHILE_AWAY;
        Await.until(
                "the leader has taken " + SNAPSHOTS_WHILE_AWAY + " snapshots",
                BOUND,
                () -> {
                    write(client);
                    return snapshotsTaken(leader) >= goal;
                });
    }

    private static void write(RaftLockClient client) {
        for (int i = 0; i < 20; i++) {
            client.lock("busy").acquire().release();
        }
    }

    private static long snapshotsTaken(NodeProcess node) {
        return TAKEN.matcher(node.log()).results().count();
    }

    private static long lastSnapshotLoaded(NodeProcess node) {
        return LOADED.matcher(node.log())
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .max()
                .orElse(0);
    }

    /**
     * Leaves the wanted node as the only one that can win an election: the leader is killed, and
     * the other one has missed an entry that was committed.
     */
    private static void makeLead(
            ProcessCluster cluster, NodeProcess wanted, RaftLockClient client) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        if (leader == wanted) {
            return;
        }
        NodeProcess other =
                cluster.nodes().stream()
                        .filter(node -> node != leader && node != wanted)
                        .findFirst()
                        .orElseThrow();
        other.kill();
        write(client);
        leader.kill();
        other.start();
        assertThat(cluster.awaitLeader(BOUND)).isSameAs(wanted);
    }

    /** Releases the lock and has each waiter release it too, in the order in which they came. */
    private static void passOn(LockGrant grant, List<CompletableFuture<LockGrant>> queue)
            throws Exception {
        LockGrant before = grant;
        for (int next = 0; next < queue.size(); next++) {
            before.release();
            LockGrant granted = queue.get(next).get(BOUND.toSeconds(), TimeUnit.SECONDS);
            assertThat(granted.token()).isGreaterThan(before.token());
            for (CompletableFuture<LockGrant> later : queue.subList(next + 1, queue.size())) {
                assertThat(later).as("who came later waits longer").isNotDone();
            }
            before = granted;
        }
        before.release();
    }

    /** Acquires with a number of the test's own choice, in a session that is not renewed. */
    private static long acquireByNumber(NodeProcess leader) throws IOException {
        try (NodeConnection connection = NodeConnection.open(leader.spec().clientPort(), BOUND)) {
            SessionId session = openSession(connection);
            Request acquire = new Request.Acquire(session, 1, 0, NUMBERED, 1, true, 0, "");
            return call(connection, acquire, Response.Granted.class).grant().token();
        }
    }

    /** Opens the session, or attaches to it: the secret is always the same. */
    private static SessionId openSession(NodeConnection connection) {
        Request open =
                new Request.OpenSession(
                        SECRET,
                        Duration.ofMinutes(10).toMillis(),
                        new ClientMetadata("numbered", "test", 1));
        return call(connection, open, Response.SessionOpened.class).session();
    }

    private static void closeNumbered(NodeProcess leader) throws IOException {
        try (NodeConnection connection = NodeConnection.open(leader.spec().clientPort(), BOUND)) {
            Request close = new Request.CloseSession(openSession(connection), SECRET);
            call(connection, close, Response.SessionClosed.class);
        }
    }

    /** Asks until the node says that it leads, which takes a moment after its election. */
    private static <T extends Response> T call(
            NodeConnection connection, Request request, Class<T> expected) {
        Response answer =
                Await.value(
                        "an answer by the leader to " + request,
                        BOUND,
                        () -> {
                            try {
                                return Optional.of(connection.call(request))
                                        .filter(each -> !(each instanceof Response.NotLeader))
                                        .filter(each -> !(each instanceof Response.Unknown));
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        assertThat(answer).isInstanceOf(expected);
        return expected.cast(answer);
    }
}
