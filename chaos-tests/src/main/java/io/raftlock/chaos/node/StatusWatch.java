package io.raftlock.chaos.node;

import io.raftlock.chaos.cluster.NodeConnection;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.EventLine;
import io.raftlock.chaos.net.Network;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that asks nodes all the time how they are, and prints a line for each answer and each
 * failure. It runs on a host of the network and ends with its standard input. Each node has a
 * thread, so that one that hangs keeps none of the others.
 */
public final class StatusWatch {
    /** Kind of the events that say that a node did not answer. */
    static final String NO_ANSWER = "no-answer";

    private static final Duration BOUND = Duration.ofSeconds(1);

    private final String node;
    private final PrintStream out;
    private @Nullable NodeConnection connection;

    private StatusWatch(String node, PrintStream out) {
        this.node = node;
        this.out = out;
    }

    /**
     * Runs until the standard input ends.
     *
     * @param args milliseconds between two questions to a node, and the names of the nodes
     */
    public static void main(String[] args) throws IOException {
        long intervalNanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[0]));
        for (int i = 1; i < args.length; i++) {
            StatusWatch watch = new StatusWatch(args[i], System.out);
            Thread thread = new Thread(() -> watch.run(intervalNanos), "watch-" + args[i]);
            thread.setDaemon(true);
            thread.start();
        }
        while (System.in.read() >= 0) {
            // Nobody says anything; it is only whether somebody is there.
        }
    }

    private void run(long intervalNanos) {
        while (true) {
            print(ask());
            LockSupport.parkNanos(intervalNanos);
        }
    }

    private Event ask() {
        try {
            Response answer = connected().call(new Request.Status());
            return answer instanceof Response.NodeStatus status
                    ? seen(status)
                    : failed("answered " + answer.kind());
        } catch (IOException failure) {
            disconnect();
            return failed(failure.toString());
        }
    }

    private NodeConnection connected() throws IOException {
        NodeConnection open = connection;
        if (open == null) {
            open = NodeConnection.open(node, Network.CLIENT_PORT, BOUND);
            connection = open;
        }
        return open;
    }

    private void disconnect() {
        NodeConnection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException gone) {
                print(failed("cannot be left: " + gone));
            }
        }
    }

    /** Under the name by which it was asked, and timed when the answer came. */
    private Event seen(Response.NodeStatus status) {
        return new Event.NodeSeen(
                System.nanoTime(),
                node,
                status.role(),
                status.term(),
                status.leaderId(),
                status.appliedIndex(),
                status.digest(),
                status.sessions(),
                status.holds(),
                status.waiters());
    }

    private Event failed(String how) {
        return new Event.Noted(System.nanoTime(), NO_ANSWER, node, how);
    }

    private void print(Event event) {
        out.println(EventLine.of(event));
        out.flush();
    }
}
