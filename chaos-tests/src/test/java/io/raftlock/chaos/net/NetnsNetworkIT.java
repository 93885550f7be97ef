package io.raftlock.chaos.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.host.Capability;
import io.raftlock.chaos.host.ChildJvm;
import io.raftlock.chaos.host.Cleanup;
import io.raftlock.chaos.host.Machine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class NetnsNetworkIT {
    private static final List<String> HOSTS = List.of("n1", "n2", "c1");
    private static final int PACKETS = 900;
    private static final int AT_ONCE = 150;

    @TempDir private static Path folder;
    private static Cleanup cleanup;
    private static NetnsNetwork network;
    private static final Map<String, ChildJvm> TALKERS = new HashMap<>();

    @BeforeAll
    static void makeHosts() {
        Machine.needs(
                Capability.NAMESPACES,
                Capability.PACKET_FILTER,
                Capability.PACKET_DUPLICATION,
                Capability.PACKET_THROTTLE,
                Capability.SOCKET_KILL);
        cleanup = Cleanup.open(Cleanup.defaultFolder());
        network = NetnsNetwork.create(cleanup, Machine.capabilities(), HOSTS, folder);
        for (String name : HOSTS) {
            Host host = network.host(name);
            List<String> flags = List.of("-Djdk.net.hosts.file=" + host.hostsFile());
            TALKERS.put(
                    name, ChildJvm.start(Talker.class, host.prefix(), flags, Map.of(), List.of()));
        }
        HOSTS.forEach(name -> assertThat(ask(name, "connect " + name)).isEqualTo("ok"));
    }

    @AfterAll
    static void remove() {
        TALKERS.values().forEach(ChildJvm::close);
        if (cleanup != null) {
            cleanup.close();
        }
    }

    @AfterEach
    void heal() {
        network.heal();
        HOSTS.forEach(name -> ask(name, "received 0"));
    }

    @Test
    void aCutLinkLosesAllInOneDirectionAndAMendedOneNothing() {
        assertThat(packets("n1", "n2", 50)).isEqualTo(50);
        long before = network.hits();

        network.cut(Set.of(new Link("n1", "n2")));
        assertThat(packets("n1", "n2", 50)).isZero();
        assertThat(packets("n2", "n1", 50)).isEqualTo(50);
        assertThat(packets("n1", "c1", 50)).isEqualTo(50);
        assertThat(network.hits() - before).isBetween(50L, 60L);

        network.cut(Set.of(new Link("n2", "n1")));
        assertThat(packets("n1", "n2", 50)).isEqualTo(50);
        assertThat(packets("n2", "n1", 50)).isZero();

        network.heal();
        assertThat(packets("n1", "n2", 50)).isEqualTo(50);
        assertThat(packets("n2", "n1", 50)).isEqualTo(50);
        assertThat(network.hits() - before).isBetween(100L, 110L);
    }

    @Test
    void aConnectionThatWasCutOffGoesOnWhenTheLinkIsMended() {
        assertThat(ask("n1", "connect n2")).isEqualTo("ok");
        assertThat(ask("n1", "echo n2 2000")).isEqualTo("ok");
        network.cut(Link.between(Set.of("n1"), Set.of("n2")));
        assertThat(ask("n1", "echo n2 300")).startsWith("SocketTimeoutException");
        network.heal();
        assertThat(ask("n1", "echo n2 5000")).isEqualTo("ok");
    }

    @Test
    void aLossyLinkLosesAboutAsManyAsItIsTold() {
        long before = network.hits();
        network.shape(Map.of(new Link("n1", "n2"), Shape.loss(30, 0)));
        int arrived = packets("n1", "n2", PACKETS);
        assertThat(arrived).isBetween(550, 710);
        assertThat(network.hits() - before).isGreaterThanOrEqualTo(PACKETS - arrived);
        assertThat(packets("n2", "n1", PACKETS)).isEqualTo(PACKETS);
        network.shape(Map.of());
        assertThat(packets("n1", "n2", PACKETS)).isEqualTo(PACKETS);
    }

    @Test
    void aRepeatingLinkSendsAboutAsManyTwiceAsItIsTold() {
        long before = network.hits();
        network.shape(Map.of(new Link("n1", "n2"), Shape.loss(0, 40)));
        int arrived = packets("n1", "n2", PACKETS);
        assertThat(arrived).isBetween(PACKETS + 280, PACKETS + 440);
        assertThat(network.hits() - before).isGreaterThanOrEqualTo(arrived - PACKETS);
        assertThat(packets("c1", "n2", PACKETS)).isEqualTo(PACKETS);
        network.shape(Map.of());
        assertThat(packets("n1", "n2", PACKETS)).isEqualTo(PACKETS);
    }

    @Test
    void aSlowLinkTakesItsTimeAndTheOthersDoNot() {
        long before = network.hits();
        network.shape(
                Map.of(
                        new Link("n1", "n2"), Shape.throttle(300_000),
                        new Link("c1", "n2"), Shape.throttle(100_000_000)));
        assertThat(millis("n1", "upload n2 200000")).isGreaterThan(400);
        assertFast("c1", "n2");
        assertFast("n2", "n1");
        assertThat(network.hits()).isGreaterThan(before);
        network.shape(Map.of());
        assertFast("n1", "n2");
    }

    @Test
    void aResetBreaksTheConnectionsBetweenTwoSidesAndNoOther() {
        ask("n1", "connect n2");
        ask("n2", "connect n1");
        ask("c1", "connect n2");
        long before = network.hits();

        assertThat(network.reset(Set.of("n1"), Set.of("n2"))).isGreaterThanOrEqualTo(2);

        assertThat(ask("n1", "echo n2 2000")).startsWith("SocketException");
        assertThat(ask("n2", "echo n1 2000")).startsWith("SocketException: Connection reset");
        assertThat(ask("c1", "echo n2 2000")).isEqualTo("ok");
        assertThat(network.hits() - before).isGreaterThanOrEqualTo(2);
        assertThat(network.reset(Set.of("n1"), Set.of("n2"))).isZero();
        assertThat(ask("n1", "connect n2")).isEqualTo("ok");
    }

    @Test
    void aHostHasNoWayToTheMachinesNetworkAndNoneToAnUnknownName() {
        assertThat(ask("n1", "connect 192.0.2.1")).contains("unreachable");
        assertThat(ask("n1", "connect elsewhere")).startsWith("UnknownHostException");
    }

    @Test
    void whatTheNetworkCannotDoIsRefused() {
        Map<Link, Shape> late = Map.of(new Link("n1", "n2"), Shape.delay(10, 0));
        assertThatThrownBy(() -> network.shape(late))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("DELAY");
        assertThatThrownBy(() -> network.host("n9")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> network.cut(Set.of(new Link("n1", "n9"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nineHostsAreThereInAMomentAndGoWithAllThatRunsOnThem() throws Exception {
        List<String> nine = List.of("n1", "n2", "n3", "n4", "n5", "c1", "c2", "c3", "watch");
        try (Cleanup own = Cleanup.open(Cleanup.defaultFolder())) {
            long from = System.nanoTime();
            NetnsNetwork large =
                    NetnsNetwork.create(own, Machine.capabilities(), nine, folder.resolve("nine"));
            long made = System.nanoTime();
            Host watch = large.host("watch");
            assertThat(watch.hostsFile()).content().contains("10.77.0.9 watch\n");
            List<String> command = new ArrayList<>(watch.prefix());
            command.addAll(List.of("sleep", "60"));
            Process inside = new ProcessBuilder(command).start();
            long closing = System.nanoTime();
            large.close();
            System.out.printf(
                    "network of nine hosts: made in %d ms, removed in %d ms%n",
                    (made - from) / 1_000_000, (System.nanoTime() - closing) / 1_000_000);
            assertThat(made - from).isLessThan(5_000_000_000L);
            assertThat(inside.waitFor()).isEqualTo(137);
            try (var namespaces = Files.list(Path.of("/run/netns"))) {
                assertThat(namespaces).noneMatch(file -> file.toString().contains(own.runId()));
            }
            large.close();
        }
    }

    /** Returns how many of so many datagrams arrive. */
    private static int packets(String from, String to, int count) {
        int arrived = 0;
        for (int sent = 0; sent < count; sent += AT_ONCE) {
            int now = Math.min(AT_ONCE, count - sent);
            ask(from, "send " + to + " " + now);
            arrived += Integer.parseInt(ask(to, "received " + now));
        }
        return arrived;
    }

    /** On a busy machine an upload may be late, but not each time. */
    private static void assertFast(String from, String to) {
        long fastest = Long.MAX_VALUE;
        for (int i = 0; i < 10 && fastest > 300; i++) {
            fastest = Math.min(fastest, millis(from, "upload " + to + " 200000"));
        }
        assertThat(fastest).isLessThanOrEqualTo(300);
    }

    private static long millis(String host, String request) {
        return Long.parseLong(ask(host, request));
    }

    private static String ask(String host, String request) {
        return TALKERS.get(host).ask(request);
    }
}
