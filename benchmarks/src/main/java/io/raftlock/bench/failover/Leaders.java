package io.raftlock.bench.failover;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.raftlock.bench.peer.PeerSystem;
import io.raftlock.bench.server.Servers;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks servers which of them leads, each system in its own way. */
final class Leaders {
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(BOUND).build();

    private Leaders() {}

    /** Whether the system tells which server leads. */
    static boolean areKnown(PeerSystem system) {
        return switch (system) {
            case RAFT_LOCK, ZOOKEEPER, ETCD -> true;
            case REDISSON, REDISSON_FAIR, HAZELCAST -> false;
        };
    }

    /** Returns the number of the server that says that it leads, from 0; empty if none does. */
    static OptionalInt find(PeerSystem system, Servers servers) throws InterruptedException {
        for (int i = 0; i < servers.endpoints().size(); i++) {
            if (leads(system, servers.endpoints().get(i))) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    private static boolean leads(PeerSystem system, String endpoint) throws InterruptedException {
        try {
            return switch (system) {
                case RAFT_LOCK -> health(endpoint).contains(" leads ");
                case ZOOKEEPER -> srvr(endpoint).contains("Mode: leader");
                case ETCD -> etcdLeads(endpoint);
                case REDISSON, REDISSON_FAIR, HAZELCAST -> false;
            };
        } catch (IOException notThere) {
            return false;
        }
    }

    /** The ports for clients are 27401 to 27403, those for operators 27501 to 27503. */
    private static String health(String endpoint) throws IOException, InterruptedException {
        URI page = URI.create("http://" + endpoint.replace(":274", ":275") + "/health");
        return HTTP.send(
                        HttpRequest.newBuilder(page).timeout(BOUND).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String srvr(String endpoint) throws IOException {
        int colon = endpoint.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(
                            endpoint.substring(0, colon),
                            Integer.parseInt(endpoint.substring(colon + 1))),
                    (int) BOUND.toMillis());
            socket.setSoTimeout((int) BOUND.toMillis());
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }

    private static boolean etcdLeads(String endpoint) throws InterruptedException {
        URI address = URI.create("http://" + endpoint);
        try (Client client = Client.builder().endpoints(address).build()) {
            StatusResponse status =
                    client.getMaintenanceClient()
                            .statusMember(address.toString())
                            .get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            return status.getLeader() == status.getHeader().getMemberId();
        } catch (ExecutionException | TimeoutException notThere) {
            return false;
        }
    }
}
