package io.raftlock.chaos.cluster;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Stands between one client and one node, passes frames on, and kills the client's process when the
 * conversation has come to a given point.
 */
public final class DeadlyProxy implements AutoCloseable {
    private static final int LENGTH_BYTES = 4;
    private static final Duration EXIT_BOUND = Duration.ofSeconds(10);

    private final ServerSocket listening;
    private final int nodePort;
    private final CrashPoint point;
    private final CompletableFuture<Process> victim = new CompletableFuture<>();
    private final CompletableFuture<Long> killed = new CompletableFuture<>();

    /** Listens on a port of its own. */
    public DeadlyProxy(int nodePort, CrashPoint point) throws IOException {
        this.nodePort = nodePort;
        this.point = point;
        listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        start(this::converse);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Says whom to kill. */
    public void threaten(Process process) {
        victim.complete(process);
    }

    /** Waits for the kill and returns when it was, by the monotonic clock. */
    public long awaitKill(Duration bound)
            throws InterruptedException, ExecutionException, TimeoutException {
        return killed.get(bound.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    private void converse() throws IOException {
        try (Socket client = listening.accept();
                Socket node = new Socket(InetAddress.getLoopbackAddress(), nodePort)) {
            client.setTcpNoDelay(true);
            node.setTcpNoDelay(true);
            start(() -> pump(CrashPoint.Side.CLIENT, client, node));
            start(() -> pump(CrashPoint.Side.NODE, node, client));
            // With the sockets closed both directions end, as they do when a process dies.
            killed.join();
        }
    }

    private void pump(CrashPoint.Side side, Socket from, Socket to) throws IOException {
        DataInputStream in = new DataInputStream(from.getInputStream());
        OutputStream out = to.getOutputStream();
        for (int number = 1; ; number++) {
            byte[] frame = readFrame(in);
            if (side == point.from() && number == point.frame()) {
                out.write(frame, 0, passing(frame.length));
                kill();
                return;
            }
            out.write(frame);
        }
    }

    private static byte[] readFrame(DataInputStream in) throws IOException {
        int length = in.readInt();
        byte[] frame = new byte[LENGTH_BYTES + length];
        ByteBuffer.wrap(frame).putInt(length);
        in.readFully(frame, LENGTH_BYTES, length);
        return frame;
    }

    private int passing(int length) {
        return switch (point.cut()) {
            case NOTHING -> 0;
            case HALF -> length / 2;
            case ALL -> length;
        };
    }

    private void kill() {
        Process process = victim.join();
        process.destroyForcibly();
        try {
            if (!process.waitFor(EXIT_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the client's process does not end");
            }
            killed.complete(System.nanoTime());
        } catch (InterruptedException | IllegalStateException failure) {
            killed.completeExceptionally(failure);
        }
    }

    private interface Task {
        void run() throws IOException;
    }

    private void start(Task task) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                task.run();
                            } catch (EOFException | SocketException over) {
                                // One end is gone, which ends the conversation.
                                return;
                            } catch (IOException failure) {
                                killed.completeExceptionally(failure);
                            }
                        },
                        "deadly-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
