package io.raftlock.chaos.net;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;

/** What a child JVM does on a host for the tests of the network: one answer for each request. */
final class Talker {
    private static final int PORT = 5000;
    private static final int QUIET_MILLIS = 20;
    private static final int LATE_MILLIS = 500;
    private static final int CONNECT_MILLIS = 2_000;

    private final Map<String, Socket> connections = new HashMap<>();
    private final DatagramSocket datagrams;

    private Talker() throws IOException {
        datagrams = new DatagramSocket(PORT);
    }

    public static void main(String[] arguments) throws Exception {
        Talker talker = new Talker();
        talker.inBackground(talker::serve);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            System.out.println(talker.answer(request.split(" ")));
        }
    }

    private String answer(String[] request) {
        try {
            return switch (request[0]) {
                case "connect" -> connect(request[1]);
                case "echo" -> echo(connections.get(request[1]), Integer.parseInt(request[2]));
                case "upload" -> upload(request[1], Integer.parseInt(request[2]));
                case "send" -> send(request[1], Integer.parseInt(request[2]));
                case "received" -> received(Integer.parseInt(request[1]));
                default -> throw new IllegalArgumentException(request[0]);
            };
        } catch (IOException e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    private String connect(String host) throws IOException {
        Socket socket = new Socket();
        socket.connect(new InetSocketAddress(InetAddress.getByName(host), PORT), CONNECT_MILLIS);
        socket.setTcpNoDelay(true);
        connections.put(host, socket);
        return "ok";
    }

    /** Sends a byte and waits for it to come back. */
    private static String echo(Socket socket, int boundMillis) throws IOException {
        socket.setSoTimeout(boundMillis);
        socket.getOutputStream().write(1);
        return socket.getInputStream().read() < 0 ? "end" : "ok";
    }

    /** Returns the milliseconds until all has come back. */
    private static String upload(String host, int bytes) throws IOException {
        long from = System.nanoTime();
        try (Socket socket = new Socket(host, PORT)) {
            socket.getOutputStream().write(new byte[bytes]);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
        return Long.toString((System.nanoTime() - from) / 1_000_000);
    }

    /** Sends no more than a socket's buffer takes, for its owner reads when all are there. */
    private static String send(String host, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress address = InetAddress.getByName(host);
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(new byte[8], 8, address, PORT));
            }
        }
        return "ok";
    }

    /** Returns how many are there, when no more come; those that are expected have more time. */
    private String received(int expected) throws IOException {
        int received = 0;
        try {
            while (true) {
                datagrams.setSoTimeout(received < expected ? LATE_MILLIS : QUIET_MILLIS);
                datagrams.receive(new DatagramPacket(new byte[8], 8));
                received++;
            }
        } catch (SocketTimeoutException noMore) {
            return Integer.toString(received);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void inBackground(Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (IOException broken) {
                                // The other side will tell.
                            }
                        });
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() throws IOException {
        try (ServerSocket server = new ServerSocket(PORT)) {
            while (true) {
                Socket socket = server.accept();
                inBackground(() -> giveBack(socket));
            }
        }
    }

    /** Gives back a few bytes at once, and nothing of a large load. */
    private static void giveBack(Socket socket) throws IOException {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[65_536];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (count < 100) {
                    socket.getOutputStream().write(buffer, 0, count);
                }
            }
        }
    }
}
