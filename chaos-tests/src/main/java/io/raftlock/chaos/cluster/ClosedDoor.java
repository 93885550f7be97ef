package io.raftlock.chaos.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicLong;

/** Stands at the port of a node that is down: counts who comes, and closes at once. */
public final class ClosedDoor implements AutoCloseable {
    private static final int BACKLOG = 4_096;

    private final ServerSocket socket;
    private final AtomicLong knocks = new AtomicLong();

    private ClosedDoor(ServerSocket socket) {
        this.socket = socket;
    }

    public static ClosedDoor at(int port) throws IOException {
        ClosedDoor door =
                new ClosedDoor(new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(door::count, "closed-door");
        thread.setDaemon(true);
        thread.start();
        return door;
    }

    /** Returns how many have come. */
    public long knocks() {
        return knocks.get();
    }

    private void count() {
        while (!socket.isClosed()) {
            try {
                socket.accept().close();
                knocks.incrementAndGet();
            } catch (SocketException closed) {
                return;
            } catch (IOException gone) {
                knocks.incrementAndGet();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
