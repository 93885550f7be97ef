package io.raftlock.examples;

import io.raftlock.client.AcquireOptions;
import io.raftlock.client.LockGrant;
import io.raftlock.client.LossReason;
import io.raftlock.client.RaftLockClient;
import io.raftlock.client.SessionListener;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * A program that uses one lock at a time. It takes orders by lines on its input ({@code lock NAME},
 * {@code release}, {@code quit}) and reports by lines on its output. It ends when its input does,
 * so it does not outlive the program that started it.
 *
 * <p>Arguments: its name, its session's time to live in milliseconds, and the nodes' addresses.
 */
public final class LockUser implements SessionListener {
    private static final int NAME = 0;
    private static final int TTL_MILLIS = 1;
    private static final int FIRST_ENDPOINT = 2;

    private final RaftLockClient client;
    private volatile @Nullable LockGrant held;

    private LockUser(RaftLockClient client) {
        this.client = client;
        client.addSessionListener(this);
    }

    /** Runs until told to quit. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length <= FIRST_ENDPOINT) {
            System.err.println("usage: LockUser NAME TTL_MILLIS HOST:PORT...");
            System.exit(2);
        }
        try (RaftLockClient client =
                RaftLockClient.builder()
                        .endpoints(Arrays.copyOfRange(arguments, FIRST_ENDPOINT, arguments.length))
                        .sessionTtl(Duration.ofMillis(Long.parseLong(arguments[TTL_MILLIS])))
                        .clientName(arguments[NAME])
                        .build()) {
            new LockUser(client).takeOrders();
        }
    }

    private void takeOrders() throws IOException {
        BufferedReader orders =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = orders.readLine();
        while (line != null && !line.equals("quit")) {
            obey(line);
            line = orders.readLine();
        }
    }

    private void obey(String order) {
        if (order.startsWith("lock ")) {
            lock(order.substring("lock ".length()));
        } else if (order.equals("release")) {
            release();
        } else {
            report(Report.FAILED, "no such order: " + order);
        }
    }

    private void lock(String name) {
        AcquireOptions options =
                AcquireOptions.defaults()
                        .onProgress(
                                place -> report(Report.QUEUED, Integer.toString(place.position())));
        var unused = client.lock(name).acquireAsync(options).whenComplete(this::acquired);
    }

    private void acquired(@Nullable LockGrant grant, @Nullable Throwable failure) {
        if (grant == null) {
            report(Report.FAILED, String.valueOf(failure));
            return;
        }
        held = grant;
        report(Report.SESSION, client.sessionId().map(Object::toString).orElse("none"));
        report(Report.GRANTED, Long.toString(grant.token().value()));
    }

    private void release() {
        LockGrant grant = held;
        if (grant == null) {
            report(Report.FAILED, "nothing is held");
            return;
        }
        held = null;
        var unused = grant.releaseAsync().whenComplete((nothing, failure) -> released(failure));
    }

    private void released(@Nullable Throwable failure) {
        if (failure != null) {
            report(Report.FAILED, failure.toString());
            return;
        }
        report(Report.SESSION, client.sessionId().map(Object::toString).orElse("none"));
        report(Report.RELEASED, "");
    }

    @Override
    public void onSuspect(Duration left) {
        report(Report.SUSPECT, Long.toString(left.toMillis()));
    }

    @Override
    public void onRecovered() {
        report(Report.RECOVERED, "");
    }

    @Override
    public void onLost(LossReason reason) {
        report(Report.LOST, reason.name());
    }

    private static void report(Report what, String detail) {
        System.out.println((what + " " + detail).stripTrailing());
    }
}
