package io.raftlock.chaos.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.host.Await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class LoopbackNetworkTest {
    private static final int QUIET_MILLIS = 300;
    private static final int ANSWER_MILLIS = 5_000;
    private static final Set<String> N1 = Set.of("n1");
    private static final Set<String> N2 = Set.of("n2");

    @TempDir Path folder;

    private LoopbackNetwork network;
    private ServerSocket n2;

    @BeforeEach
    void open() throws IOException {
        network = LoopbackNetwork.open(folder, List.of("n1", "n2"), List.of("c1"));
        n2 = listen("n2");
    }

    @AfterEach
    void close() throws IOException {
        network.close();
        n2.close();
    }

    // -- plain

    @Test
    void aHostsFileLeadsToTheNodesByWayOfTheNetworkAndToItselfDirectly() throws IOException {
        List<String> lines = Files.readAllLines(network.host("n1").hostsFile());
        assertThat(lines).contains(network.host("n1").address() + " n1");
        assertThat(lines).noneMatch(line -> line.equals(network.host("n2").address() + " n2"));
        assertThat(door("c1", "n2")).isNotEqualTo(door("n1", "n2"));
        assertThat(network.host("c1").address()).endsWith(".0.100");
        assertThatThrownBy(() -> network.host("n9")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bytesPassBothWaysInTheirOrder() throws Exception {
        byte[] sent = new byte[5 << 20];
        new Random(1).nextBytes(sent);
        try (Pair pair = connect("n1")) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> write(pair.caller, sent));
            byte[] received = pair.node.getInputStream().readNBytes(sent.length);
            sending.get(10, TimeUnit.SECONDS);
            assertThat(Arrays.equals(received, sent)).isTrue();
            write(pair.node, new byte[] {1, 2, 3});
            assertThat(pair.caller.getInputStream().readNBytes(3)).containsExactly(1, 2, 3);
        }
        assertThat(network.hits()).isZero();
    }

    @Test
    void theEndOfOneDirectionIsPassedOnAndTheOtherGoesOn() throws Exception {
        try (Pair pair = connect("n1")) {
            write(pair.caller, new byte[] {7});
            pair.caller.shutdownOutput();
            assertThat(pair.node.getInputStream().readAllBytes()).containsExactly(7);
            write(pair.node, new byte[] {8});
            pair.node.shutdownOutput();
            assertThat(pair.caller.getInputStream().readAllBytes()).containsExactly(8);
        }
    }

    @Test
    void aNodeThatIsDownResetsItsCaller() throws Exception {
        n2.close();
        try (Socket caller = dial("n1")) {
            assertReset(caller);
        }
    }

    @Test
    void aResetOfOneEndIsPassedOn() throws Exception {
        try (Pair pair = connect("n1")) {
            pair.caller.setSoLinger(true, 0);
            pair.caller.close();
            assertReset(pair.node);
        }
    }

    // -- cuts

    @Test
    void aCutHoldsItsDirectionAloneAndDeliversWhenItHeals() throws Exception {
        try (Pair pair = connect("n1");
                Pair other = connect("c1")) {
            network.cut(Set.of(new Link("n1", "n2")));
            long before = network.hits();
            write(pair.caller, new byte[] {1});
            write(pair.node, new byte[] {2});
            write(other.caller, new byte[] {3});
            assertThat(pair.caller.getInputStream().read()).isEqualTo(2);
            assertThat(other.node.getInputStream().read()).isEqualTo(3);
            assertSilent(pair.node);
            assertThat(network.hits()).isGreaterThan(before);
            network.heal();
            assertThat(pair.node.getInputStream().read()).isEqualTo(1);
        }
    }

    @Test
    void aCutIsOfTheDirectionOfTheBytesWhoeverConnected() throws Exception {
        try (ServerSocket n1 = listen("n1");
                Socket caller = new Socket(door("n2", "n1"), Network.RAFT_PORT);
                Socket node = accept(n1)) {
            caller.setSoTimeout(ANSWER_MILLIS);
            network.cut(Set.of(new Link("n1", "n2")));
            write(caller, new byte[] {1});
            assertThat(node.getInputStream().read()).isEqualTo(1);
            write(node, new byte[] {2});
            assertSilent(caller);
            network.cut(Set.of());
            assertThat(caller.getInputStream().read()).isEqualTo(2);
        }
    }

    @Test
    void aCutPushesBackOnWhoSendsOnAndLosesNothing() throws Exception {
        byte[] sent = new byte[32 << 20];
        new Random(2).nextBytes(sent);
        try (Pair pair = connect("n1")) {
            network.cut(Set.of(new Link("n1", "n2")));
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> write(pair.caller, sent));
            assertSilent(pair.node);
            assertThat(sending).as("32 MiB are more than anybody takes in").isNotDone();
            network.heal();
            byte[] received = pair.node.getInputStream().readNBytes(sent.length);
            assertThat(Arrays.equals(received, sent)).isTrue();
            sending.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aConnectionMadeDuringACutSaysNothingAndComesThroughLater() throws Exception {
        network.cut(Set.of(new Link("n2", "n1")));
        try (Socket caller = dial("n1")) {
            write(caller, new byte[] {1});
            assertSilent(caller);
            n2.setSoTimeout(QUIET_MILLIS);
            assertThatThrownBy(() -> n2.accept()).isInstanceOf(SocketTimeoutException.class);
            assertThat(network.hits()).isEqualTo(1);
            network.heal();
            try (Socket node = accept(n2)) {
                assertThat(node.getInputStream().read()).isEqualTo(1);
            }
        }
    }

    @Test
    void aConnectionWhoseCallerGaveUpDuringTheCutIsNeverMade() throws Exception {
        network.cut(Link.between(N1, N2));
        dial("n1").close();
        try (Socket reset = dial("n1")) {
            write(reset, new byte[] {1});
            reset.setSoLinger(true, 0);
        }
        Await.until("both are held", Duration.ofSeconds(5), () -> network.hits() >= 2);
        Await.until("both are gone", Duration.ofSeconds(5), () -> network.reset(N1, N2) == 0);
        network.heal();
        n2.setSoTimeout(QUIET_MILLIS);
        assertThatThrownBy(() -> n2.accept()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void theEndOfAConnectionIsHeldByACutAsItsBytesAre() throws Exception {
        try (Pair pair = connect("n1")) {
            network.cut(Link.between(N1, N2));
            write(pair.caller, new byte[] {1});
            pair.caller.close();
            assertSilent(pair.node);
            network.heal();
            assertThat(pair.node.getInputStream().readAllBytes()).containsExactly(1);
        }
    }

    // -- resets

    @Test
    void aResetBreaksTheConnectionsBetweenBothSidesAloneAndCountsThem() throws Exception {
        try (Pair first = connect("n1");
                Pair second = connect("n1");
                Pair other = connect("c1")) {
            assertThat(network.reset(N2, N1)).isEqualTo(2);
            for (Socket each : List.of(first.caller, first.node, second.caller, second.node)) {
                assertReset(each);
            }
            write(other.caller, new byte[] {1});
            assertThat(other.node.getInputStream().read()).isEqualTo(1);
            assertThat(network.reset(N2, N1)).isZero();
            assertThat(network.hits()).isEqualTo(2);
        }
    }

    // -- shapes

    @Test
    void aDelayKeepsEverythingForThatLongAndInItsOrder() throws Exception {
        network.shape(Map.of(new Link("n1", "n2"), Shape.delay(200, 50)));
        try (Pair pair = connect("n1")) {
            for (int i = 0; i < 20; i++) {
                ByteBuffer stamped = ByteBuffer.allocate(12).putInt(i).putLong(System.nanoTime());
                write(pair.caller, stamped.array());
            }
            for (int i = 0; i < 20; i++) {
                ByteBuffer got = ByteBuffer.wrap(pair.node.getInputStream().readNBytes(12));
                assertThat(got.getInt()).isEqualTo(i);
                assertThat(System.nanoTime() - got.getLong())
                        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
            }
            assertThat(network.hits()).isPositive();
            long sent = System.nanoTime();
            write(pair.node, new byte[] {1});
            assertThat(pair.caller.getInputStream().read()).isEqualTo(1);
            assertThat(System.nanoTime() - sent)
                    .as("the other direction is plain")
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    @Test
    void aThrottleLetsSoManyBytesThroughInASecond() throws Exception {
        network.shape(Map.of(new Link("n1", "n2"), Shape.throttle(100_000)));
        byte[] sent = new byte[100_000];
        try (Pair pair = connect("n1")) {
            long begin = System.nanoTime();
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> write(pair.caller, sent));
            pair.node.getInputStream().readNBytes(sent.length);
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            sending.get(5, TimeUnit.SECONDS);
            assertThat(millis).isBetween(900L, 3_000L);
            assertThat(network.hits()).isPositive();
        }
    }

    @Test
    void healingHandsOnAtOnceWhatWasDelayed() throws Exception {
        network.shape(Map.of(new Link("n1", "n2"), Shape.delay(60_000, 0)));
        try (Pair pair = connect("n1")) {
            write(pair.caller, new byte[] {1});
            assertSilent(pair.node);
            network.heal();
            assertThat(pair.node.getInputStream().read()).isEqualTo(1);
        }
    }

    @Test
    void whatItCannotDoItRefuses() {
        Link link = new Link("n1", "n2");
        assertThat(network.abilities())
                .doesNotContain(Network.Ability.LOSS, Network.Ability.DUPLICATION);
        assertThatThrownBy(() -> network.shape(Map.of(link, Shape.loss(10, 0))))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> network.cut(Set.of(new Link("n1", "nobody"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void closingEndsAllConnectionsAndListeners() throws Exception {
        String door = door("n1", "n2");
        try (Pair pair = connect("n1")) {
            network.close();
            assertThat(isOver(pair.caller)).isTrue();
            assertThat(isOver(pair.node)).isTrue();
        }
        assertThatThrownBy(() -> new Socket(door, Network.RAFT_PORT).close())
                .isInstanceOf(IOException.class);
    }

    // -- sockets

    private record Pair(Socket caller, Socket node) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            caller.close();
            node.close();
        }
    }

    private Pair connect(String caller) throws IOException {
        Socket dialled = dial(caller);
        return new Pair(dialled, accept(n2));
    }

    private Socket dial(String caller) throws IOException {
        Socket socket = new Socket(door(caller, "n2"), Network.RAFT_PORT);
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    private static Socket accept(ServerSocket listening) throws IOException {
        listening.setSoTimeout(ANSWER_MILLIS);
        Socket accepted = listening.accept();
        accepted.setSoTimeout(ANSWER_MILLIS);
        return accepted;
    }

    private ServerSocket listen(String node) throws IOException {
        ServerSocket listening = new ServerSocket();
        listening.bind(
                new InetSocketAddress(
                        InetAddress.getByName(network.host(node).address()), Network.RAFT_PORT));
        return listening;
    }

    /** Looks up the node as a program on that host does. */
    private String door(String caller, String node) throws IOException {
        return Files.readAllLines(network.host(caller).hostsFile()).stream()
                .filter(line -> line.endsWith(" " + node))
                .map(line -> line.split(" ")[0])
                .findFirst()
                .orElseThrow();
    }

    private static void write(Socket to, byte[] bytes) {
        try {
            to.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(QUIET_MILLIS);
        assertThatThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(ANSWER_MILLIS);
    }

    private static void assertReset(Socket socket) {
        assertThatThrownBy(() -> socket.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
    }

    private static boolean isOver(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException stillThere) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }
}
