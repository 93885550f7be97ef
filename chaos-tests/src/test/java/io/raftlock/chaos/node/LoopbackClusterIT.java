package io.raftlock.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeEnded;
import io.raftlock.chaos.history.Event.NodeSeen;
import io.raftlock.chaos.history.Event.NodeStarted;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.ledger.Journal;
import io.raftlock.chaos.ledger.JournalSource;
import io.raftlock.chaos.net.Host;
import io.raftlock.chaos.net.Link;
import io.raftlock.chaos.net.LoopbackNetwork;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Real nodes and a real client on hosts that are loopback addresses. */
class LoopbackClusterIT {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Duration WATCH_INTERVAL = Duration.ofMillis(100);

    private final Path folder =
            Path.of(System.getProperty("raftlock.chaos.folder", "target/chaos"))
                    .toAbsolutePath()
                    .resolve("loopback-cluster");
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final Map<String, ChaosNode> nodes = new HashMap<>();
    private final Queue<Grant> grants = new ConcurrentLinkedQueue<>();

    private record Grant(long atNanos, long token) {}

    @Test
    @Timeout(value = 90, unit = TimeUnit.SECONDS)
    void aClusterSurvivesACutAndAKillAndItsJournalsAgree() throws Exception {
        empty(folder);
        try (LoopbackNetwork network =
                LoopbackNetwork.open(folder.resolve("net"), NODES, List.of("c1", "watch"))) {
            for (String name : NODES) {
                nodes.put(name, node(network.host(name)));
            }
            try {
                run(network);
            } catch (Throwable failure) {
                nodes.values().forEach(node -> System.out.println(node.logTail(60)));
                throw failure;
            } finally {
                nodes.values().forEach(ChaosNode::close);
            }
        }
        journalsAgree();
    }

    private ChaosNode node(Host host) throws IOException {
        return new ChaosNode(
                host,
                NODES,
                NodeSettings.in(folder.resolve(host.name()), folder.resolve("journals")),
                NodeProgram.built(),
                events::add);
    }

    private void run(LoopbackNetwork network) throws Exception {
        long begin = System.nanoTime();
        nodes.values().forEach(ChaosNode::start);
        try (StatusWatcher watcher =
                StatusWatcher.start(
                        network.host("watch"),
                        NODES,
                        WATCH_INTERVAL,
                        folder.resolve("watch.log"),
                        events::add)) {
            String first = awaitLeader(watcher, Set.of()).node();
            long toLeader = millisSince(begin);
            Process client = client(network.host("c1"));
            try {
                awaitGrantAfter(begin);
                long toGrant = millisSince(begin);
                long gap = cutOff(network, watcher, first);
                long killGap = killAndWait(watcher);
                restartedByItself(watcher);
                System.out.printf(
                        "first leader after %d ms, first grant after %d ms, longest time without a"
                                + " grant %d ms after the leader was cut off and %d ms after one"
                                + " was killed, %d grants%n",
                        toLeader, toGrant, gap, killGap, grants.size());
            } finally {
                client.destroyForcibly();
            }
            Await.until("all nodes are as far", BOUND, ticking(() -> isEven(watcher)));
        }
        assertThat(grants).extracting(Grant::token).isSorted().doesNotHaveDuplicates();
    }

    /** The leader reaches neither its peers nor the client; the watching program reaches all. */
    private long cutOff(LoopbackNetwork network, StatusWatcher watcher, String leader)
            throws Exception {
        Set<String> rest = others(leader);
        rest.add("c1");
        long hits = network.hits();
        network.cut(Link.between(Set.of(leader), rest));
        long cut = System.nanoTime();
        awaitLeader(watcher, Set.of(leader));
        awaitGrantAfter(lastGrant() + 1);
        assertThat(network.hits()).isGreaterThan(hits);
        assertThat(watcher.silentFor(leader)).isLessThan(Duration.ofSeconds(1));
        Await.until("a grant after the cut", BOUND, () -> lastGrant() > cut + 300_000_000L);
        long gap = longestGap(cut - 200_000_000);
        network.heal();
        Await.until(leader + " follows", BOUND, () -> isFollowing(watcher, leader));
        return gap;
    }

    private long killAndWait(StatusWatcher watcher) throws Exception {
        String leader = awaitLeader(watcher, Set.of()).node();
        ChaosNode node = nodes.get(leader);
        Path dump = folder.resolve("threads.txt");
        assertThat(node.threadDump(dump)).isTrue();
        assertThat(dump).content().contains("JRaft");
        long killed = System.nanoTime();
        node.kill();
        assertThat(node.isRunning()).isFalse();
        awaitLeader(watcher, Set.of(leader));
        awaitGrantAfter(killed + 500_000_000);
        long gap = longestGap(killed - 200_000_000);
        assertThat(watcher.silentFor(leader)).isGreaterThan(Duration.ofMillis(500));
        assertThat(watcher.failure(leader)).isPresent();
        node.tick();
        assertThat(node.isRunning()).as("it stays away until it is started").isFalse();
        node.start();
        Await.until(leader + " is back", BOUND, () -> isFollowing(watcher, leader));
        assertThat(ended(leader)).extracting(NodeEnded::wanted).containsExactly(true);
        return gap;
    }

    /** A process that nobody was to end is reported, and there again. */
    private void restartedByItself(StatusWatcher watcher) {
        String victim = follower(watcher);
        ChaosNode node = nodes.get(victim);
        int life = node.life();
        int before = ended(victim).size();
        ProcessHandle.of(node.pid()).orElseThrow().destroyForcibly();
        Await.until(victim + " lives again", BOUND, ticking(() -> node.life() == life + 1));
        List<NodeEnded> ends = ended(victim);
        assertThat(ends).hasSize(before + 1);
        NodeEnded last = ends.get(before);
        assertThat(last.wanted()).isFalse();
        assertThat(last.exitCode()).isEqualTo(128 + 9);
        NodeStarted next =
                of(NodeStarted.class)
                        .filter(each -> each.life() == life + 1)
                        .filter(each -> each.node().equals(victim))
                        .findFirst()
                        .orElseThrow();
        assertThat(next.atNanos() - last.atNanos())
                .isGreaterThanOrEqualTo(ChaosNode.RESTART_AFTER.toNanos());
        assertThat(next.pid()).isEqualTo(node.pid());
        Await.until(victim + " is back", BOUND, () -> isFollowing(watcher, victim));
    }

    // -- what is seen

    private NodeSeen awaitLeader(StatusWatcher watcher, Set<String> not) {
        return Await.value(
                "a leader other than " + not,
                BOUND,
                () -> watcher.leader().filter(seen -> !not.contains(seen.node())));
    }

    private boolean isFollowing(StatusWatcher watcher, String node) {
        String leader = watcher.leader().map(NodeSeen::node).orElse("");
        return !leader.isEmpty()
                && watcher.silentFor(node).toMillis() < 500
                && watcher.latest(node).filter(seen -> seen.leader().equals(leader)).isPresent();
    }

    private String follower(StatusWatcher watcher) {
        String leader = awaitLeader(watcher, Set.of()).node();
        return NODES.stream().filter(each -> !each.equals(leader)).findFirst().orElseThrow();
    }

    private boolean isEven(StatusWatcher watcher) {
        List<NodeSeen> last =
                NODES.stream().flatMap(each -> watcher.latest(each).stream()).toList();
        return last.size() == NODES.size()
                && NODES.stream().allMatch(each -> watcher.silentFor(each).toMillis() < 500)
                && last.stream().map(NodeSeen::appliedIndex).distinct().count() == 1
                && last.stream().map(NodeSeen::digest).distinct().count() == 1;
    }

    private BooleanSupplier ticking(BooleanSupplier condition) {
        return () -> {
            nodes.values().forEach(ChaosNode::tick);
            return condition.getAsBoolean();
        };
    }

    private static Set<String> others(String node) {
        Set<String> rest = new HashSet<>(NODES);
        rest.remove(node);
        return rest;
    }

    private <T extends Event> Stream<T> of(Class<T> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast);
    }

    private List<NodeEnded> ended(String node) {
        return of(NodeEnded.class).filter(each -> each.node().equals(node)).toList();
    }

    // -- the client

    private Process client(Host host) throws IOException {
        List<String> command = new ArrayList<>(NodeProgram.java(host));
        command.addAll(
                List.of(
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockCycles.class.getName(),
                        "orders/1"));
        NODES.forEach(node -> command.add(node + ":9100"));
        Process process =
                new ProcessBuilder(command)
                        .redirectError(folder.resolve("client.log").toFile())
                        .start();
        Thread reader = new Thread(() -> read(process), "grants");
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void read(Process process) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] parts = line.split(" ");
                grants.add(new Grant(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
            }
        } catch (IOException over) {
            // It was ended.
            return;
        }
    }

    private void awaitGrantAfter(long nanos) {
        Await.until("a grant", BOUND, () -> lastGrant() - nanos > 0);
    }

    private long lastGrant() {
        return grants.stream().mapToLong(Grant::atNanos).max().orElse(Long.MIN_VALUE / 2);
    }

    private long longestGap(long since) {
        List<Long> times =
                grants.stream().map(Grant::atNanos).filter(at -> at - since > 0).sorted().toList();
        long longest = 0;
        for (int i = 1; i < times.size(); i++) {
            longest = Math.max(longest, times.get(i) - times.get(i - 1));
        }
        return TimeUnit.NANOSECONDS.toMillis(longest);
    }

    // -- the journals

    private void journalsAgree() throws IOException {
        Map<String, SortedMap<Long, String>> acquires = new HashMap<>();
        for (String name : NODES) {
            acquires.put(name, acquires(nodes.get(name)));
        }
        SortedMap<Long, String> first = acquires.get("n1");
        assertThat(first).hasSizeGreaterThan(10);
        assertThat(acquires.get("n2")).isEqualTo(first);
        assertThat(acquires.get("n3")).isEqualTo(first);
        // A token is the position of its grant, and nobody waited: the acquire's own entry.
        assertThat(grants).allMatch(grant -> first.containsKey(grant.token() >> 12));
    }

    /** Returns all acquires by index, of all lives of the node. */
    private static SortedMap<Long, String> acquires(ChaosNode node) throws IOException {
        SortedMap<Long, String> found = new TreeMap<>();
        for (int life = 1; life <= node.life(); life++) {
            try (Journal journal = Journal.open(node.settings().journal(node.name(), life))) {
                journal.forEachRemaining(each -> add(each, found));
            }
        }
        return found;
    }

    private static void add(JournalSource.Recorded recorded, SortedMap<Long, String> found) {
        List<Command> acquires =
                EntryCodec.decode(ByteBuffer.wrap(recorded.entry()), Formats.NEWEST)
                        .commands()
                        .stream()
                        .filter(Command.Acquire.class::isInstance)
                        .toList();
        if (!acquires.isEmpty()) {
            String text = "term " + recorded.term() + " " + acquires;
            String before = found.put(recorded.index(), text);
            assertThat(before).as("in an earlier life").isIn(null, text);
        }
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }

    private static void empty(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        Files.createDirectories(folder);
    }
}
