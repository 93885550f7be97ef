package io.raftlock.chaos.host;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** What a child JVM does for the tests of shims and disks: one answer for each request. */
final class Child {
    private final ScheduledExecutorService scheduler =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        Thread thread = new Thread(task);
                        thread.setDaemon(true);
                        return thread;
                    });

    private Child() {}

    public static void main(String[] arguments) throws Exception {
        Child child = new Child();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
        for (String request = requests.readLine(); request != null; request = requests.readLine()) {
            System.out.println(child.answer(request.split(" ")));
        }
    }

    private String answer(String[] request) throws Exception {
        return switch (request[0]) {
            case "nanos" -> Long.toString(System.nanoTime());
            case "true" -> Long.toString(TrueTime.nanos());
            case "wall" -> Long.toString(System.currentTimeMillis());
            case "worst-step" -> Long.toString(worstStep(Long.parseLong(request[1])));
            case "append" -> outcome(request[1], false);
            case "sync" -> outcome(request[1], true);
            default -> Long.toString(timed(request[0], Long.parseLong(request[1])));
        };
    }

    /** Returns how far the clock went between two readings at the least, which is never below 0. */
    private static long worstStep(long millis) {
        long end = TrueTime.nanos() + millis * 1_000_000;
        long worst = Long.MAX_VALUE;
        long before = System.nanoTime();
        while (TrueTime.nanos() < end) {
            for (int i = 0; i < 100; i++) {
                long now = System.nanoTime();
                worst = Math.min(worst, now - before);
                before = now;
            }
        }
        return worst;
    }

    /** Returns how long a wait took, in nanoseconds of true time. */
    private long timed(String how, long millis) throws Exception {
        long from = TrueTime.nanos();
        switch (how) {
            case "sleep" -> Thread.sleep(millis);
            case "wait" -> {
                Object monitor = new Object();
                synchronized (monitor) {
                    monitor.wait(millis);
                }
            }
            case "park" -> LockSupport.parkNanos(millis * 1_000_000);
            case "park-until" -> LockSupport.parkUntil(System.currentTimeMillis() + millis);
            case "await" -> new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
            case "schedule" -> scheduler.schedule(() -> {}, millis, TimeUnit.MILLISECONDS).get();
            default -> throw new IllegalArgumentException(how);
        }
        return TrueTime.nanos() - from;
    }

    /** Returns "ok" and the milliseconds that it took, or the message of the failure. */
    private static String outcome(String file, boolean sync) {
        long from = System.nanoTime();
        try (FileChannel channel =
                FileChannel.open(
                        Path.of(file),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND)) {
            channel.write(ByteBuffer.wrap("line\n".getBytes(StandardCharsets.UTF_8)));
            if (sync) {
                channel.force(true);
            }
            return "ok " + (System.nanoTime() - from) / 1_000_000;
        } catch (IOException e) {
            return e.getMessage();
        }
    }
}
