package io.raftlock.bench.server;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;
import io.raftlock.bench.peer.PeerSystem;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks servers which of them leads, each system in its own way. */
public final class Leaders {
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final Duration START_BOUND = Duration.ofSeconds(90);

    private Leaders() {}

    /** Whether the system tells which server leads. */
    public static boolean areKnown(PeerSystem system) {
        return switch (system) {
            case RAFT_LOCK, ZOOKEEPER, ETCD -> true;
            case REDISSON, REDISSON_FAIR, HAZELCAST -> false;
        };
    }

    /**
     * Waits until one says that it leads.
     *
     * @return its number, from 0
     * @throws io.raftlock.bench.load.LoadFailure if none does in time
     */
    public static int await(PeerSystem system, Servers servers) throws InterruptedException {
        AtomicInteger leader = new AtomicInteger(-1);
        Await.until(
                "a server leads",
                START_BOUND,
                () -> {
                    for (int i = 0; i < servers.endpoints().size() && leader.get() < 0; i++) {
                        if (leads(system, servers, i)) {
                            leader.set(i);
                        }
                    }
                    return leader.get() >= 0;
                });
        return leader.get();
    }

    private static boolean leads(PeerSystem system, Servers servers, int server)
            throws InterruptedException {
        try {
            return switch (system) {
                case RAFT_LOCK ->
                        AdminPage.read(servers.adminAddress(server), "/health").contains(" leads ");
                case ZOOKEEPER -> srvr(servers.address(server)).contains("Mode: leader");
                case ETCD -> etcdLeads(servers.endpoints().get(server));
                case REDISSON, REDISSON_FAIR, HAZELCAST -> false;
            };
        } catch (IOException notThere) {
            return false;
        }
    }

    private static String srvr(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(address, (int) BOUND.toMillis());
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
