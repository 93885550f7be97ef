package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.Await;
import io.raftlock.chaos.cluster.NodeConnection;
import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.client.DistributedLock;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

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
        away.terminate();
        away.awaitExit(BOUND);
        long leftAt = Math.max(1, lastOf(cluster));

        try (RaftLockClient holder = client(cluster, "holder");
                RaftLockClient first = client(cluster, "first");
                RaftLockClient second = client(cluster, "second");
                RaftLockClient third = client(cluster, "third")) {
            LockGrant grant = holder.lock("queue").acquire();
            List<CompletableFuture<LockGrant>> queue = new ArrayList<>();
            for (RaftLockClient each : List.of(first, second, third)) {
                queue.add(each.lock("queue").acquireAsync());
                awaitWaiters(cluster, queue.size());
            }
            long numberedToken = acquireByNumber(cluster);
            writeUntilTheLogIsCut(cluster, holder.lock("busy"));

            away.start();
            NodeStatus caughtUp = cluster.awaitAgreement();
            assertThat(caughtUp.holds()).isEqualTo(2);
            assertThat(caughtUp.waiters()).isEqualTo(3);
            assertThat(snapshotsLoaded(away).max()).as("snapshot installed").isPresent();
            assertThat(snapshotsLoaded(away).max().getAsLong())
                    .as("position of the snapshot that was installed")
                    .isGreaterThan(leftAt);

            makeLead(cluster, away, holder.lock("busy"));
            assertThat(acquireByNumberAgain(away))
                    .as("a retry under the same number gets the first answer")
                    .isEqualTo(numberedToken);
            passThrough(grant, queue);
        }
        closeNumbered(away);

        cluster.start();
        NodeStatus end = cluster.awaitAgreement();
        assertThat(end.holds()).isZero();
        assertThat(end.waiters()).isZero();
        System.out.printf(
                "%s left at entry %d, got a snapshot of entry %d, led; all agree at entry %d%n",
                away.spec().id(),
                leftAt,
                snapshotsLoaded(away).max().orElseThrow(),
                end.appliedIndex());
    }

    private static NodeProcess aFollower(ProcessCluster cluster) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        return cluster.nodes().stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private static long lastOf(ProcessCluster cluster) {
        return cluster.statuses().stream().mapToLong(NodeStatus::appliedIndex).max().orElseThrow();
    }

    private static void awaitWaiters(ProcessCluster cluster, int count) {
        Await.until(
                count + " wait",
                BOUND,
                () -> cluster.statuses().stream().anyMatch(status -> status.waiters() == count));
    }

    private static void writeUntilTheLogIsCut(ProcessCluster cluster, DistributedLock lock) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        long goal = TAKEN.matcher(leader.log()).results().count() + SNAPSHOTS_WHILE_AWAY;
        Await.until(
                "the leader has taken " + SNAPSHOTS_WHILE_AWAY + " snapshots",
                BOUND,
                () -> {
                    for (int i = 0; i < 20; i++) {
                        lock.acquire().release();
                    }
                    return TAKEN.matcher(leader.log()).results().count() >= goal;
                });
    }

    private static LongStream snapshotsLoaded(NodeProcess node) {
        Matcher lines = LOADED.matcher(node.log());
        return lines.results().mapToLong(line -> Long.parseLong(line.group(1)));
    }

    /**
     * Leaves the wanted node as the only one that can win an election: the leader is killed, and
     * the other one has missed an entry that was committed.
     */
    private static void makeLead(ProcessCluster cluster, NodeProcess wanted, DistributedLock lock) {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        if (leader == wanted) {
            return;
        }
        NodeProcess other =
                cluster.nodes().stream()
                        .filter(node -> node != leader && node != wanted)
                        .findFirst()
                        .orElseThrow();
        other.pause();
        lock.acquire().release();
        leader.kill();
        other.resume();
        assertThat(cluster.awaitLeader(BOUND)).isSameAs(wanted);
    }

    /** Releases the lock and has each waiter release it too, in the order in which they came. */
    private static void passThrough(LockGrant grant, List<CompletableFuture<LockGrant>> queue)
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

    /** Acquires with a number of the test's own choice, in a session that is never renewed. */
    private static long acquireByNumber(ProcessCluster cluster) throws IOException {
        NodeProcess leader = cluster.awaitLeader(BOUND);
        try (NodeConnection connection = NodeConnection.open(leader.spec().clientPort(), BOUND)) {
            return acquire(connection, openSession(connection));
        }
    }

    private static long acquireByNumberAgain(NodeProcess leader) throws IOException {
        try (NodeConnection connection = NodeConnection.open(leader.spec().clientPort(), BOUND)) {
            // Opening under the same secret attaches to the session that it opened.
            return acquire(connection, openSession(connection));
        }
    }

    private static SessionId openSession(NodeConnection connection) throws IOException {
        Response opened =
                connection.call(
                        new Request.OpenSession(
                                SECRET,
                                Duration.ofMinutes(10).toMillis(),
                                new ClientMetadata("numbered", "test", 1)));
        assertThat(opened).isInstanceOf(Response.SessionOpened.class);
        return ((Response.SessionOpened) opened).session();
    }

    private static long acquire(NodeConnection connection, SessionId session) throws IOException {
        Response granted =
                connection.call(new Request.Acquire(session, 1, 0, NUMBERED, 1, true, 0, ""));
        assertThat(granted).isInstanceOf(Response.Granted.class);
        return ((Response.Granted) granted).grant().token();
    }

    private static void closeNumbered(NodeProcess leader) throws IOException {
        try (NodeConnection connection = NodeConnection.open(leader.spec().clientPort(), BOUND)) {
            SessionId session = openSession(connection);
            assertThat(connection.call(new Request.CloseSession(session, SECRET)))
                    .isInstanceOf(Response.SessionClosed.class);
        }
    }
}
