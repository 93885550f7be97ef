package io.raftlock.client;

import io.netty.channel.EventLoop;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;

import java.util.concurrent.TimeUnit;

/** The loop of a client that runs: one Netty thread, a daemon. */
final class NettyLoop implements Loop {
    private final NioEventLoopGroup group;
    private final EventLoop thread;

    NettyLoop(String threadName) {
        group = new NioEventLoopGroup(1, new DefaultThreadFactory(threadName, true));
        thread = group.next();
    }

    EventLoop thread() {
        return thread;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        Future<?> scheduled = thread.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public boolean inLoop() {
        return thread.inEventLoop();
    }

    @Override
    public void shutDown() {
        Future<?> unused = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    }
}
