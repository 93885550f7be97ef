package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.util.Endpoint;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.lock.Snapshot;
import io.raftlock.server.raft.transport.LinkFaults;
import io.raftlock.server.raft.transport.RaftMessage;
import io.raftlock.server.raft.transport.TransportSecurity;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Nodes of one cluster in this JVM, each with its own directory and its own port. */
final class TestGroup implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Duration LONG = Duration.ofSeconds(20);

    /** Of free disk space, below which a node hands leadership over. */
    static final long LOW_BYTES = 100 << 20;

    private static final Tuning TUNING = new Tuning(500, 200, 0, 0, 8, 16_384);

    final String cluster = "test-" + COUNT.incrementAndGet() + "-" + System.nanoTime();
    final List<Member> members;
    final Map<String, RaftGroup> nodes = new ConcurrentHashMap<>();
    final Map<String, Events> events = new ConcurrentHashMap<>();
    final Map<String, List<EntryObserver>> observers = new ConcurrentHashMap<>();
    final Collection<String> fatal = new ConcurrentLinkedQueue<>();

    /** Bytes of disk that a node has left; all that there is, if it is not here. */
    final Map<String, Long> freeBytes = new ConcurrentHashMap<>();

    private final Set<String> isolated = ConcurrentHashMap.newKeySet();
    private final Set<String> side = ConcurrentHashMap.newKeySet();
    private final Path root;
    private final Tuning tuning;
    private final Random random = new Random(1);

    /** What one node's listener heard. */
    static final class Events implements LogListener {
        final AtomicLong applied = new AtomicLong();
        final AtomicLong batches = new AtomicLong();
        final AtomicLong startedTerm = new AtomicLong();
        final AtomicInteger stops = new AtomicInteger();

        @Override
        public void applied(long index, Applied what) {
            assertThat(applied.getAndSet(index)).isLessThan(index);
        }

        @Override
        public void batchEnded() {
            batches.incrementAndGet();
        }

        @Override
        public void leaderStarted(long term, Snapshot state) {
            startedTerm.set(term);
        }

        @Override
        public void leaderReady() {}

        @Override
        public void leaderHeard(String memberId) {}

        @Override
        public void leaderStopped() {
            stops.incrementAndGet();
        }
    }

    TestGroup(Path root, int size) throws IOException {
        this(root, size, TUNING);
    }

    TestGroup(Path root, int size, Tuning tuning) throws IOException {
        this.root = root;
        this.tuning = tuning;
        List<Member> made = new ArrayList<>();
        List<ServerSocket> taken = new ArrayList<>();
        for (int at = 1; at <= size; at++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
            taken.add(socket);
            made.add(new Member("n" + at, "127.0.0.1", socket.getLocalPort()));
        }
        for (ServerSocket socket : taken) {
            socket.close();
        }
        members = List.copyOf(made);
    }

    static TestGroup started(Path root, int size) throws Exception {
        TestGroup group = new TestGroup(root, size);
        group.startAll();
        return group;
    }

    void startAll() throws NodeStartException {
        for (Member member : members) {
            start(member.id());
        }
    }

    void haltAll() {
        nodes.keySet().forEach(this::halt);
    }

    Path data(String id) {
        return root.resolve(id);
    }

    GroupSettings settings(String id) {
        return new GroupSettings(
                cluster,
                id,
                members,
                new GroupSettings.Storage(data(id), LOW_BYTES),
                new GroupSettings.Network("", TransportSecurity.PLAIN, this::fate),
                tuning);
    }

    /** From now on nothing passes between this node and the others. */
    void isolate(String id) {
        isolated.add(address(id));
    }

    /** From now on nothing passes between these nodes and the others. */
    void split(String... ids) {
        Stream.of(ids).map(this::address).forEach(side::add);
    }

    void heal() {
        isolated.clear();
        side.clear();
    }

    private String address(String id) {
        return members.stream()
                .filter(member -> member.id().equals(id))
                .map(Member::raftAddress)
                .findFirst()
                .orElseThrow();
    }

    private LinkFaults.Fate fate(Endpoint from, Endpoint to, RaftMessage message) {
        boolean isCut =
                isolated.contains(from.toString())
                        || isolated.contains(to.toString())
                        || side.contains(from.toString()) != side.contains(to.toString());
        return isCut ? LinkFaults.Fate.LOST : LinkFaults.Fate.DELIVERED;
    }

    RaftGroup start(String id) throws NodeStartException {
        return start(id, node(id, Engine.snapshots()));
    }

    /** Makes a node whose snapshots are written as a test wants. */
    RaftGroup node(String id, ExecutorService snapshots) {
        return node(id, snapshots, Formats.NEWEST);
    }

    /** Makes a node of a version that reads that format and none after it. */
    RaftGroup node(String id, int newestFormat) {
        return node(id, Engine.snapshots(), newestFormat);
    }

    private RaftGroup node(String id, ExecutorService snapshots, int newestFormat) {
        return new RaftGroup(
                settings(id),
                (what, cause) -> fatal.add(id + ": " + what),
                snapshots,
                () -> freeBytes.getOrDefault(id, Long.MAX_VALUE),
                newestFormat);
    }

    RaftGroup start(String id, RaftGroup node) throws NodeStartException {
        Events heard = new Events();
        node.start(
                heard,
                observers.getOrDefault(id, List.of()),
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        events.put(id, heard);
        nodes.put(id, node);
        return node;
    }

    void halt(String id) {
        nodes.remove(id).halt();
    }

    void stop(String id) {
        nodes.remove(id).stop(Duration.ofSeconds(5));
    }

    String leaderId() {
        await(
                () -> nodes.values().stream().anyMatch(node -> node.leadership().leading()),
                "leader");
        return nodes.entrySet().stream()
                .filter(each -> each.getValue().leadership().leading())
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    RaftGroup leader() {
        while (true) {
            RaftGroup found = nodes.get(leaderId());
            if (found != null) {
                return found;
            }
        }
    }

    String follower() {
        String leader = leaderId();
        return nodes.keySet().stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
    }

    /** The engine's own choice of a successor may never be this one, so it is told. */
    void makeLeader(String id) {
        BooleanSupplier passed = Waiting.deadlineIn(LONG);
        while (!leaderId().equals(id)) {
            assertThat(passed.getAsBoolean()).as(id + " does not become the leader").isFalse();
            Node leading = NodeManager.getInstance().get(cluster, peer(leaderId()));
            if (leading != null && leading.transferLeadershipTo(peer(id)).isOk()) {
                Waiting.until(
                        () -> nodes.get(id).isLeading(), Waiting.deadlineIn(Duration.ofSeconds(1)));
            }
        }
    }

    private PeerId peer(String id) {
        return JRaftUtils.getPeerId(address(id));
    }

    // -- commands

    static Verdict verdict(ReplicatedLog log, Command command) {
        CompletableFuture<Verdict> verdict = new CompletableFuture<>();
        log.propose(
                command, given -> assertThat(verdict.complete(given)).as("one verdict").isTrue());
        return verdict.orTimeout(20, TimeUnit.SECONDS).join();
    }

    /** Proposes until it is done: the commands used here may be applied twice. */
    Outcome perform(Command command) {
        BooleanSupplier passed = Waiting.deadlineIn(LONG);
        while (!passed.getAsBoolean()) {
            if (verdict(leader(), command) instanceof Verdict.Done done) {
                return done.outcome();
            }
        }
        throw new AssertionError("not done in time: " + command);
    }

    SessionId openSession() {
        Command open =
                new Command.OpenSession(
                        new SessionSecret(random.nextLong(), random.nextLong()),
                        10_000,
                        new ClientMetadata("test", "here", 1));
        return ((Outcome.SessionOpened) perform(open)).session();
    }

    static Command.Acquire acquire(SessionId session, long number, String name) {
        return new Command.Acquire(
                session, number, 0, new LockName(name), number, true, 0, "m" + number);
    }

    // -- waiting

    void awaitEqualStates() {
        long index = leader().read(LockStateMachine::appliedIndex);
        await(
                () ->
                        nodes.values().stream()
                                .allMatch(
                                        node -> node.read(LockStateMachine::appliedIndex) >= index),
                "all applied " + index);
        assertThat(nodes.values().stream().map(RaftGroup::digest).distinct()).hasSize(1);
    }

    /**
     * Takes one of all that the node has applied. The engine counts a batch as applied after the
     * state has it, and until then takes the snapshot before it for one of everything.
     */
    boolean takeSnapshot(String id) {
        RaftGroup group = nodes.get(id);
        long index = group.read(LockStateMachine::appliedIndex);
        Node engine = NodeManager.getInstance().get(cluster, peer(id));
        await(() -> engine.getLastAppliedLogIndex() >= index, "the engine counts " + index);
        CompletableFuture<Boolean> taken = new CompletableFuture<>();
        group.takeSnapshot(taken::complete);
        return taken.orTimeout(20, TimeUnit.SECONDS).join();
    }

    static void await(BooleanSupplier condition, String what) {
        assertThat(Waiting.until(condition, Waiting.deadlineIn(LONG))).as(what).isTrue();
    }

    @Override
    public void close() {
        haltAll();
    }
}
