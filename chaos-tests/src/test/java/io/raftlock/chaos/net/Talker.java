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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What a child JVM does on a host for the tests of the network: one answer for each request. */
final class Talker {
    private static final int PORT = 5000;
    private static final int QUIET_MILLIS = 30;
    private static final int CONNECT_MILLIS = 2_000;

    private final Map<String, Socket> connections = new HashMap<>();
    private final AtomicInteger datagrams = new AtomicInteger();

    private Talker() {}

    public static void main(String[] arguments) throws Exception {
        Talker talker = new Talker();
        talker.inBackground(talker::countDatagrams);
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
                case "received" -> received();
                default -> throw new IllegalArgumentException(request[0]);
            };
        } catch (IOException | InterruptedException e) {
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

    /** As many as a socket takes at once, for its owner may not get a processor meanwhile. */
    private static String send(String host, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetAddress address = InetAddress.getByName(host);
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(new byte[8], 8, address, PORT));
            }
        }
        return "ok";
    }

    /** Returns how many have come since it was asked last, when no more come. */
    private String received() throws InterruptedException {
        int before;
        do {
            before = datagrams.get();
            Thread.sleep(QUIET_MILLIS);
        } while (datagrams.get() != before);
        datagrams.addAndGet(-before);
        return Integer.toString(before);
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

    private void countDatagrams() throws IOException {
        try (DatagramSocket socket = new DatagramSocket(PORT)) {
            while (true) {
                socket.receive(new DatagramPacket(new byte[8], 8));
                datagrams.incrementAndGet();
            }
        }
    }

    private void serve() throws IOException {
        try (ServerSocket server = new ServerSocket(PORT)) {
            while (true) {
                Socket socket = server.accept();
                inBackground(() -> giveBack(socket));
            }
        }
    }

    /** Gives back a byte at once; of a large load it takes all first. */
    private static void giveBack(Socket socket) throws IOException {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            byte[] buffer = new byte[65_536];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (count == 1) {
                    socket.getOutputStream().write(buffer, 0, 1);
                }
            }
        }
    }
}
