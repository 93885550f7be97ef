package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.cluster.NodeProcess;
import io.raftlock.chaos.cluster.ProcessCluster;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.net.Host;
import io.raftlock.chaos.store.FencedStore;
import io.raftlock.chaos.store.StoreDesk;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Clients that are processes of their own, on a cluster without faults. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ClientProcessIT {
    private static final long TTL_MILLIS = 1_000;
    private static final Duration BOUND = Duration.ofSeconds(15);
    private static final Duration STOP_BOUND = Duration.ofSeconds(10);
    private static final int AT_ONCE = 3;
    private static final Set<Action> ACQUIRES =
            EnumSet.of(Action.LOCK, Action.TRY_LOCK, Action.TIMED_LOCK);
    private static final Duration WORK = Duration.ofSeconds(3);
    private static final Path FOLDER =
            Path.of(System.getProperty("raftlock.chaos.folder", "target/chaos"))
                    .toAbsolutePath()
                    .resolve("client-process");

    private static ProcessCluster cluster;
    private static Path hostsFile;

    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final AtomicLong lives = new AtomicLong();
    private final FencedStore store = new FencedStore(true, System::nanoTime, events::add);
    private final StoreDesk desk = new StoreDesk(store);
    private final List<ClientProcess> clients = new ArrayList<>();

    @BeforeAll
    static void startCluster() throws IOException {
        cluster = ProcessCluster.layOut(FOLDER, 3, List.of());
        hostsFile = FOLDER.resolve("hosts");
        Files.writeString(hostsFile, "127.0.0.1 n1\n127.0.0.1 n2\n127.0.0.1 n3\n");
        cluster.start();
    }

    @AfterAll
    static void endCluster() {
        cluster.close();
    }

    @AfterEach
    void endClients() {
        clients.forEach(ClientProcess::close);
        desk.close();
    }

    @Test
    void eachWorkloadDoesAllThatItIsFor() {
        List<WorkloadKind> left = new ArrayList<>(List.of(WorkloadKind.values()));
        left.remove(WorkloadKind.SWEEP);
        while (!left.isEmpty()) {
            List<WorkloadKind> now = left.subList(0, Math.min(AT_ONCE, left.size()));
            List<ClientProcess> running =
                    now.stream().map(kind -> client(WorkloadSpec.of(kind, TTL_MILLIS))).toList();
            running.forEach(ClientProcess::start);
            running.forEach(this::awaitFirstOk);
            LockSupport.parkNanos(WORK.toNanos());
            ofType(Event.ClientStarted.class).forEach(this::awaitAllDone);
            running.forEach(client -> assertThat(client.stop(BOUND)).contains(0));
            now.clear();
        }
        sweepTheirLocks();
        clients.forEach(client -> assertThat(client.errors()).doesNotContain("Exception"));
        assertThat(notes()).extracting(Event.Noted::kind).containsOnly("reads", WorkloadSpec.SWEPT);
        assertThat(ofType(Event.ClientEnded.class)).hasSize(WorkloadKind.values().length);
        checkCallsAndTokens();
        assertThat(ofType(Event.Stored.class)).anyMatch(each -> each.basedOn() > 0);
        assertThat(store.lost("store/0")).isEmpty();
    }

    private void sweepTheirLocks() {
        WorkloadSpec ofMutexes = WorkloadSpec.of(WorkloadKind.FENCED_MUTEX, TTL_MILLIS);
        WorkloadSpec ofQueues = WorkloadSpec.of(WorkloadKind.FAIR_QUEUE, TTL_MILLIS);
        ClientProcess sweeper =
                client(WorkloadSpec.sweep(List.of(ofMutexes, ofQueues, ofMutexes), TTL_MILLIS));
        sweeper.start();
        Await.until(
                "all locks were asked for",
                BOUND,
                () -> notes().stream().anyMatch(note -> note.kind().equals(WorkloadSpec.SWEPT)));
        assertThat(sweeper.stop(BOUND)).contains(0);
        List<Event.Invoked> asked =
                ofType(Event.Invoked.class).stream()
                        .filter(each -> each.client().equals(sweeper.client()))
                        .filter(each -> each.action() == Action.TRY_LOCK)
                        .toList();
        assertThat(asked).extracting(Event.Invoked::lock).hasSize(40).doesNotHaveDuplicates();
        assertThat(actionsDone(sweeper.client()))
                .containsExactlyInAnyOrder(Action.TRY_LOCK, Action.RELEASE);
    }

    @Test
    void aClientIsPausedResumedKilledAndStartedAgain() {
        ClientProcess client = client(WorkloadSpec.of(WorkloadKind.FENCED_MUTEX, TTL_MILLIS));
        client.start();
        awaitFirstOk(client);
        client.pause();
        Await.until("it stands still", BOUND, () -> stateOf(client.pid()).equals("T"));
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        int before = events.size();
        LockSupport.parkNanos(Duration.ofMillis(2 * TTL_MILLIS).toNanos());
        assertThat(events).hasSize(before);
        client.resume();
        Await.until("it goes on", BOUND, () -> events.size() > before + 10);
        Await.until("its session is lost", BOUND, () -> sawSession("LOST"));
        client.kill();
        assertThat(client.isRunning()).isFalse();
        assertThat(ofType(Event.ClientEnded.class).get(0).exitCode()).isEqualTo(128 + 9);

        client.start();
        assertThat(client.client()).isEqualTo(client.name() + ".2");
        awaitFirstOk(client);
        client.quiet();
        Await.until(
                "all rest", BOUND, () -> notes().stream().anyMatch(n -> n.kind().equals("quiet")));
        int quiet = ofType(Event.Invoked.class).size();
        LockSupport.parkNanos(Duration.ofMillis(300).toNanos());
        assertThat(ofType(Event.Invoked.class)).hasSize(quiet);
        client.go();
        Await.until("it goes on", BOUND, () -> ofType(Event.Invoked.class).size() > quiet);
        assertThat(client.stop(BOUND)).contains(0);
        checkCallsAndTokens();
    }

    @Test
    void aClientEndsByItselfWhenItsDriverIsGone() {
        ClientProcess client = client(WorkloadSpec.of(WorkloadKind.FAIR_QUEUE, TTL_MILLIS));
        client.start();
        awaitFirstOk(client);
        client.abandon();
        assertThat(client.awaitEnd(Duration.ofSeconds(2))).isEqualTo(ClientMain.DRIVER_GONE);
    }

    @Test
    void clientsStopInTimeThoughTheClusterStandsStill() {
        List<ClientProcess> running =
                Stream.of(WorkloadKind.FENCED_MUTEX, WorkloadKind.HOLDER_READS)
                        .map(kind -> client(WorkloadSpec.of(kind, TTL_MILLIS)))
                        .toList();
        running.forEach(ClientProcess::start);
        running.forEach(this::awaitFirstOk);
        cluster.nodes().forEach(NodeProcess::pause);
        try {
            running.forEach(client -> assertThat(client.stop(Duration.ZERO)).isEmpty());
            running.forEach(client -> assertThat(client.awaitEnd(STOP_BOUND)).isZero());
        } finally {
            cluster.nodes().forEach(NodeProcess::resume);
        }
    }

    private ClientProcess client(WorkloadSpec spec) {
        String[] endpoints =
                cluster.nodes().stream()
                        .map(node -> node.spec())
                        .map(node -> node.id() + ':' + node.clientPort())
                        .toArray(String[]::new);
        String name = "c" + (clients.size() + 1);
        ClientProcess client =
                new ClientProcess(
                        new Host(name, "127.0.0.1", hostsFile, List.of("env")),
                        new ClientSetup(
                                spec,
                                11,
                                List.of(endpoints),
                                FOLDER.resolve("clients-" + spec.kind()),
                                List.of(),
                                Map.of()),
                        lives::incrementAndGet,
                        new ClientProcess.Surroundings(System::nanoTime, events::add, desk));
        clients.add(client);
        return client;
    }

    private void awaitFirstOk(ClientProcess client) {
        Await.until(
                client.client() + " has done something",
                BOUND,
                () -> !actionsDone(client.client()).isEmpty());
    }

    private void awaitAllDone(Event.ClientStarted started) {
        Set<Action> all = expected(WorkloadKind.valueOf(started.workload()));
        Await.until(
                started.workload() + " has done " + all,
                BOUND,
                () -> actionsDone(started.client()).equals(all));
    }

    private static Set<Action> expected(WorkloadKind kind) {
        return switch (kind) {
            case FENCED_MUTEX, FENCED_STORE, IDLE ->
                    EnumSet.of(Action.LOCK, Action.TRY_LOCK, Action.TIMED_LOCK, Action.RELEASE);
            case REENTRANT ->
                    EnumSet.of(
                            Action.LOCK,
                            Action.TRY_LOCK,
                            Action.TIMED_LOCK,
                            Action.REENTER,
                            Action.RELEASE);
            case FAIR_QUEUE -> EnumSet.of(Action.LOCK, Action.TIMED_LOCK, Action.RELEASE);
            case SESSIONS -> EnumSet.of(Action.TRY_LOCK, Action.TIMED_LOCK, Action.RELEASE);
            case MANY_KEYS, SWEEP -> EnumSet.of(Action.TRY_LOCK, Action.RELEASE);
            case HOLDER_READS -> EnumSet.of(Action.TIMED_LOCK, Action.RELEASE);
            case RETRIES -> EnumSet.of(Action.TRY_LOCK, Action.RETRY, Action.RELEASE);
        };
    }

    private void checkCallsAndTokens() {
        List<Event.Invoked> invoked = ofType(Event.Invoked.class);
        Map<Long, Event.Invoked> byCall = new HashMap<>();
        invoked.forEach(each -> assertThat(byCall.put(each.call(), each)).isNull());
        Set<String> tokens = new HashSet<>();
        for (Event.Returned returned : ofType(Event.Returned.class)) {
            Event.Invoked call = byCall.get(returned.call());
            assertThat(call.atNanos()).isLessThanOrEqualTo(returned.atNanos());
            if (returned.result() == Result.OK && ACQUIRES.contains(call.action())) {
                String grant = call.lock() + " " + returned.token();
                assertThat(tokens.add(grant)).as("%s", returned).isTrue();
            }
            if (returned.result() == Result.OK && call.action() == Action.REENTER) {
                assertThat(returned.token()).isEqualTo(call.token());
            }
        }
        System.out.printf("%,d calls, %,d grants%n", invoked.size(), tokens.size());
    }

    private Set<Action> actionsDone(String client) {
        Set<Action> done = EnumSet.noneOf(Action.class);
        Set<Long> ok = new HashSet<>();
        ofType(Event.Returned.class).stream()
                .filter(each -> each.result() == Result.OK)
                .forEach(each -> ok.add(each.call()));
        callsOf(client).stream()
                .filter(each -> ok.contains(each.call()))
                .forEach(each -> done.add(each.action()));
        return done;
    }

    private List<Event.Invoked> callsOf(String client) {
        return ofType(Event.Invoked.class).stream()
                .filter(each -> each.client().equals(client))
                .toList();
    }

    private boolean sawSession(String state) {
        return ofType(Event.SessionSeen.class).stream()
                .anyMatch(each -> each.state().equals(state) && each.session() > 0);
    }

    private List<Event.Noted> notes() {
        return ofType(Event.Noted.class);
    }

    private <T extends Event> List<T> ofType(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static String stateOf(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.substring(stat.lastIndexOf(')') + 2).substring(0, 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
