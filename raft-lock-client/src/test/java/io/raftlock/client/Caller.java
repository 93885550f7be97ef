package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A thread that makes calls which wait, while the test moves the virtual time. The test goes on
 * only when the thread has nothing left to do before time moves.
 */
final class Caller implements AutoCloseable {
    private static final long REAL_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final int MOST_STEPS = 100_000;

    private final SimulatedLoop loop;
    private final SynchronousQueue<FutureTask<?>> handedOver = new SynchronousQueue<>();
    private final Thread thread;
    private FutureTask<?> last = new FutureTask<>(() -> null);

    /** Makes plain threads, and virtual ones where there are such. */
    static Stream<ThreadFactory> factories() {
        ThreadFactory platform = Thread::new;
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Method factory = Class.forName("java.lang.Thread$Builder").getMethod("factory");
            return Stream.of(platform, (ThreadFactory) factory.invoke(builder));
        } catch (ReflectiveOperationException olderJdk) {
            return Stream.of(platform);
        }
    }

    Caller(SimulatedLoop loop) {
        this(loop, Thread::new);
    }

    Caller(SimulatedLoop loop, ThreadFactory threads) {
        this.loop = loop;
        thread = threads.newThread(this::serve);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve() {
        boolean goOn = true;
        while (goOn) {
            try {
                FutureTask<?> next = handedOver.take();
                next.run();
                goOn = !next.isCancelled();
            } catch (InterruptedException late) {
                // It hit after the call was over.
            }
        }
    }

    /** Starts the call and returns when it waits or is over. */
    <T> FutureTask<T> start(Callable<T> call) throws InterruptedException {
        FutureTask<T> task = new FutureTask<>(call);
        last = task;
        handedOver.put(task);
        settle();
        return task;
    }

    /** Makes a call that need not wait, or only for the cluster. */
    <T> T call(Callable<T> call) throws Exception {
        return finish(start(call));
    }

    void run(Runnable call) throws Exception {
        call(
                () -> {
                    call.run();
                    return null;
                });
    }

    /** Moves the time until the call is over. */
    <T> T finish(FutureTask<T> call) throws Exception {
        for (int step = 0; step < MOST_STEPS && !call.isDone(); step++) {
            loop.advance(Duration.ofMillis(1));
            settle();
        }
        assertThat(call.isDone()).as("the call came back").isTrue();
        return call.get();
    }

    /** Returns what comes of a call whose time is over now: time stands still. */
    <T> T finishNow(FutureTask<T> call) throws Exception {
        loop.settle();
        long start = System.nanoTime();
        while (!call.isDone() && System.nanoTime() - start < REAL_LIMIT_NANOS) {
            LockSupport.unpark(thread);
            Thread.yield();
        }
        assertThat(call.isDone()).as("the call came back").isTrue();
        return call.get();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Waits until the thread waits in a call of the client for time to move, or is idle. */
    void settle() {
        long start = System.nanoTime();
        while (!isQuiet()) {
            if (System.nanoTime() - start > REAL_LIMIT_NANOS) {
                throw new AssertionError("the calling thread does not come to rest");
            }
            Thread.yield();
        }
    }

    private boolean isQuiet() {
        return last.isDone()
                || (LockSupport.getBlocker(thread) instanceof Outcome<?> outcome
                        && !outcome.isSettled()
                        && !thread.isInterrupted());
    }

    @Override
    public void close() throws InterruptedException {
        FutureTask<?> end = new FutureTask<>(() -> null);
        end.cancel(false);
        handedOver.put(end);
    }
}
