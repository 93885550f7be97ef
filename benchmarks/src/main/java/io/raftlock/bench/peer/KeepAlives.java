package io.raftlock.bench.peer;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.raftlock.protocol.Response;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Keep-alives for callers of a client, which renews its own session by itself and has no call for
 * it: they are of a session beside it, at the leader. For use by any thread.
 */
final class KeepAlives implements AutoCloseable {
    /** As a client's. */
    private static final Duration TTL = Duration.ofSeconds(10);

    private static final Duration BOUND = Duration.ofSeconds(5);

    private final EventLoopGroup loops;
    private final RawSession session;

    private KeepAlives(EventLoopGroup loops, RawSession session) {
        this.loops = loops;
        this.session = session;
    }

    /**
     * Opens their session.
     *
     * @param endpoints host:port of each node, of which only the leader opens it
     * @throws IllegalStateException if none does
     */
    static KeepAlives open(List<String> endpoints) {
        EventLoopGroup loops = new NioEventLoopGroup(1);
        Exception last = new IllegalArgumentException("no endpoints");
        for (String each : endpoints) {
            try {
                return new KeepAlives(
                        loops,
                        RawSession.open(loops, address(each), TTL, "keep-alives")
                                .get(BOUND.toMillis(), TimeUnit.MILLISECONDS));
            } catch (ExecutionException | TimeoutException e) {
                last = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                last = e;
                break;
            }
        }
        end(loops);
        throw new IllegalStateException("no node opens a session", last);
    }

    private static InetSocketAddress address(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        return new InetSocketAddress(
                endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
    }

    /** Returns when the leader has said that the session lives. */
    void renew() throws ExecutionException, InterruptedException {
        Response.KeptAlive unused = session.keepAlive().get();
    }

    @Override
    public void close() {
        // A leader that does not hear it ends the session when its time is over.
        var unused =
                session.close()
                        .orTimeout(BOUND.toMillis(), TimeUnit.MILLISECONDS)
                        .whenComplete((closed, failure) -> end(loops));
    }

    private static void end(EventLoopGroup loops) {
        var unused = loops.shutdownGracefully(0, BOUND.toMillis(), TimeUnit.MILLISECONDS);
    }
}
