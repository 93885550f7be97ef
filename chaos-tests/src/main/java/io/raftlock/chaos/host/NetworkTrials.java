package io.raftlock.chaos.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** Does what a network of namespaces needs, once. */
final class NetworkTrials {
    private static final int READ_BOUND_MILLIS = 500;
    private static final String NOTHING_ENDED =
            "ss -K ended nothing: it needs root, and a kernel with INET_DIAG_DESTROY";

    private final Cleanup cleanup;
    private String namespace = "";

    NetworkTrials(Cleanup cleanup) {
        this.cleanup = cleanup;
    }

    void namespaces() {
        namespace = cleanup.namespace("trial");
        Programs.check(List.of("ip", "netns", "add", namespace));
        inside(
                List.of("ip", "-batch", "-"),
                """
                link add br0 type bridge
                link add v1 type veth peer name v2
                link set v1 master br0 up
                """);
    }

    void filter() {
        inside(
                List.of("nft", "-f", "-"),
                """
                table bridge trial {
                  counter dropped { }
                  set cut { type ipv4_addr . ipv4_addr; }
                  chain crossing {
                    type filter hook forward priority 0;
                    ip saddr . ip daddr @cut counter name dropped drop
                    numgen random mod 100 < 1 counter name dropped drop
                  }
                }
                """);
    }

    void duplicate() {
        inside(
                List.of("nft", "-f", "-"),
                """
                table netdev trial {
                  chain v1 {
                    type filter hook egress device "v1" priority 0;
                    ip saddr 10.0.0.1 numgen random mod 100 < 1 dup to "v1"
                  }
                }
                """);
    }

    void throttle() {
        inside(
                List.of("tc", "-batch", "-"),
                """
                qdisc add dev v1 root handle 1: htb default 0
                class add dev v1 parent 1: classid 1:1 htb rate 1000bps quantum 1514
                qdisc add dev v1 parent 1:1 bfifo limit 10000
                """);
        inside(
                List.of("nft", "-f", "-"),
                "add rule bridge trial crossing ip saddr 10.0.0.1 meta priority set 1:1\n");
    }

    /** Ends a connection of this process with itself, and no other. */
    void killSocket() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket client = new Socket(loopback, server.getLocalPort())) {
            String filter =
                    "sport = :%d and dport = :%d"
                            .formatted(client.getLocalPort(), server.getLocalPort());
            Programs.check(List.of("ss", "-K", "-t", "-n", filter));
            client.setSoTimeout(READ_BOUND_MILLIS);
            mustBeBroken(client);
        }
    }

    private static void mustBeBroken(Socket client) throws IOException {
        try {
            client.getInputStream().read();
        } catch (SocketTimeoutException alive) {
            throw new IllegalStateException(NOTHING_ENDED, alive);
        } catch (SocketException broken) {
            return;
        }
        throw new IllegalStateException(NOTHING_ENDED);
    }

    private void inside(List<String> command, String input) {
        List<String> line = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
        line.addAll(command);
        Programs.check(line, input);
    }
}
