package io.raftlock.examples;

import io.raftlock.protocol.Response.NodeStatus;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Shows on a running cluster what happens to a lock when the leader is killed, and when those who
 * hold the lock are. The users A, B and C are processes of their own. Ends with 0 if all went as it
 * should, else with 1 and a sentence that says what did not.
 *
 * <p>Arguments: the path of {@code scripts/cluster}, then the nodes' addresses for clients (by
 * default those of that script's cluster).
 */
public final class FailoverDemo implements AutoCloseable {
    private static final List<String> DEFAULT_ENDPOINTS =
            List.of("127.0.0.1:7401", "127.0.0.1:7402", "127.0.0.1:7403");
    private static final String LOCK = "orders/42";
    private static final String ACCOUNT = "account-42";
    private static final Duration TTL = Duration.ofSeconds(4);

    /** A waiting client is served within that time of the leader's death. */
    private static final Duration SERVED_BOUND = Duration.ofSeconds(3);

    private static final Duration CLUSTER_BOUND = Duration.ofSeconds(30);
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(15);
    private static final Duration STILL_WAITING = Duration.ofMillis(300);
    private static final long POLL_NANOS = 50_000_000;
    private static final String CLUSTER = "cluster";

    private final Narrator narrator;
    private final ClusterScript script;
    private final NodeProbe nodes;
    private final AccountTable accounts;
    private final UserProcess a;
    private final UserProcess b;
    private final UserProcess c;
    private String sessionOfA = "";
    private Optional<String> deadNode = Optional.empty();

    private FailoverDemo(Narrator narrator, Path script, List<String> endpoints)
            throws SQLException {
        this.narrator = narrator;
        this.script = new ClusterScript(script);
        this.nodes = new NodeProbe(endpoints);
        this.accounts = new AccountTable();
        this.a = UserProcess.start("A", TTL, endpoints, this::tellRemark);
        this.b = UserProcess.start("B", TTL, endpoints, this::tellRemark);
        this.c = UserProcess.start("C", TTL, endpoints, this::tellRemark);
    }

    /** Runs the demonstration. */
    public static void main(String[] arguments) throws SQLException {
        if (arguments.length == 0) {
            System.err.println("usage: FailoverDemo PATH_OF_SCRIPTS_CLUSTER [HOST:PORT...]");
            System.exit(2);
        }
        List<String> endpoints =
                arguments.length == 1
                        ? DEFAULT_ENDPOINTS
                        : Arrays.asList(arguments).subList(1, arguments.length);
        Narrator narrator = new Narrator(System.out);
        System.exit(run(narrator, Path.of(arguments[0]), endpoints) ? 0 : 1);
    }

    private static boolean run(Narrator narrator, Path script, List<String> endpoints)
            throws SQLException {
        try (FailoverDemo demo = new FailoverDemo(narrator, script, endpoints)) {
            demo.play();
            return true;
        } catch (DemoFailure e) {
            narrator.say("FAILED: " + e.getMessage());
            return false;
        }
    }

    private void play() throws SQLException {
        NodeStatus leader = introduce();
        long tokenOfA = queueUp();
        long servedNanos = killTheLeader(leader, tokenOfA);
        killTheHolder();
        refuseTheStaleToken(tokenOfA);
        repair();
        narrator.part("Done");
        narrator.say(
                "A waiting client was served %s after kill -9 of the leader (bound: %s)."
                        .formatted(
                                Narrator.seconds(servedNanos),
                                Narrator.seconds(SERVED_BOUND.toNanos())));
    }

    private NodeStatus introduce() throws SQLException {
        narrator.part("A cluster of %d nodes, one lock, three users".formatted(nodes.nodeCount()));
        NodeStatus leader = awaitLeader("");
        narrator.tell(CLUSTER, "%s leads, in term %d".formatted(leader.nodeId(), leader.term()));
        narrator.tell(
                "users",
                "A, B and C are processes %d, %d and %d; their sessions live %d s without them"
                        .formatted(a.pid(), b.pid(), c.pid(), TTL.toSeconds()));
        accounts.open(ACCOUNT);
        return leader;
    }

    private long queueUp() throws SQLException {
        a.order("lock " + LOCK);
        sessionOfA = a.await(Report.SESSION, ANSWER_BOUND).detail();
        long token = tokenOf(a);
        narrator.tell("A", "has %s with token %d (session %s)".formatted(LOCK, token, sessionOfA));
        write("A", 100, token);
        for (UserProcess user : List.of(b, c)) {
            user.order("lock " + LOCK);
            String place = user.await(Report.QUEUED, ANSWER_BOUND).detail();
            narrator.tell(user.name(), "waits for it, at place " + place);
            require(place.equals(user == b ? "1" : "2"), user.name() + " is at the wrong place");
        }
        return token;
    }

    /** Returns how long after the kill the one who waited was served. */
    private long killTheLeader(NodeStatus leader, long tokenOfA) throws SQLException {
        narrator.part("The leader dies");
        long killNanos = System.nanoTime();
        script.kill(leader.nodeId());
        deadNode = Optional.of(leader.nodeId());
        narrator.tell(CLUSTER, "%s is killed with -9; nobody leads".formatted(leader.nodeId()));
        b.requireWaiting();
        a.order("release");
        long releaseNanos = System.nanoTime();
        narrator.tell("A", "releases " + LOCK);

        NodeStatus successor = awaitLeader(leader.nodeId());
        narrator.tell(
                CLUSTER, "%s leads, in term %d".formatted(successor.nodeId(), successor.term()));
        UserProcess.Event granted = b.await(Report.GRANTED, ANSWER_BOUND);
        long servedNanos = granted.nanos() - killNanos;
        long token = Long.parseLong(granted.detail());
        String session = a.await(Report.SESSION, ANSWER_BOUND).detail();
        require(session.equals(sessionOfA), "A has another session now: " + session);
        a.await(Report.RELEASED, ANSWER_BOUND);
        narrator.tell(
                "A", "is told that the lock is free: its session %s survived".formatted(session));
        narrator.tell("B", "has %s with token %d, which is higher".formatted(LOCK, token));
        narrator.add(
                "%s after the kill, %s after the release"
                        .formatted(
                                Narrator.seconds(servedNanos),
                                Narrator.seconds(granted.nanos() - releaseNanos)));
        require(token > tokenOfA, "B's token is not higher than A's");
        require(
                servedNanos <= SERVED_BOUND.toNanos(),
                "B was served %s after the kill, which is more than %s"
                        .formatted(
                                Narrator.seconds(servedNanos),
                                Narrator.seconds(SERVED_BOUND.toNanos())));
        write("B", 150, token);
        return servedNanos;
    }

    private void killTheHolder() throws SQLException {
        narrator.part("Users die");
        a.order("lock " + LOCK);
        narrator.tell(
                "A",
                "waits for %s again, at place %s"
                        .formatted(LOCK, a.await(Report.QUEUED, ANSWER_BOUND).detail()));
        a.kill();
        narrator.tell("A", "is killed with -9 while it waits");
        LockSupport.parkNanos(STILL_WAITING.toNanos());
        c.requireWaiting();
        long killNanos = System.nanoTime();
        b.kill();
        narrator.tell("B", "is killed with -9 while it holds the lock; C waits");

        UserProcess.Event granted = c.await(Report.GRANTED, TTL.plus(ANSWER_BOUND));
        long token = Long.parseLong(granted.detail());
        narrator.tell("C", "has %s with token %d".formatted(LOCK, token));
        narrator.add(
                "%s after B's death: its session ended %d s after B was last heard of"
                        .formatted(Narrator.seconds(granted.nanos() - killNanos), TTL.toSeconds()));
        write("C", 175, token);
        c.order("release");
        c.await(Report.RELEASED, ANSWER_BOUND);
        narrator.tell("C", "releases " + LOCK + ": all have had their turn");
    }

    private void refuseTheStaleToken(long tokenOfA) throws SQLException {
        narrator.part("A write arrives late");
        boolean taken = accounts.write(ACCOUNT, 90, tokenOfA);
        require(!taken, "the guard took a write with the stale token " + tokenOfA);
        require(accounts.balance(ACCOUNT) == 175, "the balance was changed by a stale write");
        narrator.tell(
                "A", "UPDATE account ... WHERE fence <= %d: 0 rows, refused".formatted(tokenOfA));
        narrator.add(
                "its token is older than the row's; the balance is still %d"
                        .formatted(accounts.balance(ACCOUNT)));
    }

    private void repair() {
        narrator.part("The dead node comes back");
        deadNode.ifPresent(script::restart);
        List<NodeStatus> all = await("all nodes have the same state", this::agreement);
        narrator.tell(CLUSTER, "all nodes have the same state");
        for (NodeStatus status : all) {
            narrator.add(
                    "%s  %-8s  applied %d  digest %s"
                            .formatted(
                                    status.nodeId(),
                                    status.role().toLowerCase(Locale.ROOT),
                                    status.appliedIndex(),
                                    status.digest()));
        }
    }

    private void write(String who, long balance, long token) throws SQLException {
        require(
                accounts.write(ACCOUNT, balance, token),
                "the guard refused %s's write with token %d".formatted(who, token));
        narrator.tell(
                who,
                "UPDATE account SET balance = %d, fence = %d WHERE fence <= %d: 1 row"
                        .formatted(balance, token, token));
    }

    private static long tokenOf(UserProcess user) {
        return Long.parseLong(user.await(Report.GRANTED, ANSWER_BOUND).detail());
    }

    private void tellRemark(String user, UserProcess.Event remark) {
        narrator.tell(
                user,
                remark.what() == Report.SUSPECT
                        ? "is warned: no answer; its locks are safe for %s ms more"
                                .formatted(remark.detail())
                        : "is told that its session is confirmed again");
    }

    /** Waits until a node leads that is not the dead one. */
    private NodeStatus awaitLeader(String dead) {
        return await(
                "one node leads",
                () ->
                        nodes.statuses().stream()
                                .filter(status -> status.role().equals("LEADER"))
                                .filter(status -> !status.nodeId().equals(dead))
                                .max(Comparator.comparingLong(NodeStatus::term)));
    }

    private Optional<List<NodeStatus>> agreement() {
        List<NodeStatus> found = nodes.statuses();
        Set<String> states = new HashSet<>();
        found.forEach(status -> states.add(status.appliedIndex() + " " + status.digest()));
        return found.size() == nodes.nodeCount() && states.size() == 1
                ? Optional.of(new ArrayList<>(found))
                : Optional.empty();
    }

    private static <T> T await(String what, Supplier<Optional<T>> supplier) {
        long deadline = System.nanoTime() + CLUSTER_BOUND.toNanos();
        Optional<T> found = supplier.get();
        while (found.isEmpty()) {
            require(
                    System.nanoTime() - deadline < 0,
                    "waited %d s in vain until %s".formatted(CLUSTER_BOUND.toSeconds(), what));
            LockSupport.parkNanos(POLL_NANOS);
            found = supplier.get();
        }
        return found.get();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new DemoFailure(otherwise);
        }
    }

    @Override
    public void close() throws SQLException {
        a.close();
        b.close();
        c.close();
        accounts.close();
    }
}
