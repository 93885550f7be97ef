package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets a process run for a part of the time, by stopping it for the rest. A shell sends the
 * signals; it lets the process run when this program ends, in whatever way. The times belong to the
 * thread of the cycle.
 */
final class DutyCycle implements AutoCloseable {
    private static final long PERIOD_MILLIS = 100;
    private static final long END_BOUND_MILLIS = 5_000;
    private static final String SCRIPT =
            "while read -r signal; do kill -\"$signal\" %1$d || exit; done; kill -CONT %1$d";

    private final ProcessIdentity process;
    private final long runMillis;
    private final Process shell;
    private final Thread thread = new Thread(this::run, "duty-cycle");
    private final AtomicLong stoppedNanos = new AtomicLong();
    private volatile boolean over;

    private DutyCycle(ProcessIdentity process, int percent, Process shell) {
        this.process = process;
        this.runMillis = PERIOD_MILLIS * percent / 100;
        this.shell = shell;
    }

    /**
     * Begins.
     *
     * @param percent of the time that the process runs, from 1 to 99
     */
    static DutyCycle start(long pid, int percent) {
        ProcessIdentity process =
                ProcessIdentity.of(pid)
                        .orElseThrow(() -> new IllegalStateException("no process " + pid));
        try {
            Process shell =
                    new ProcessBuilder("sh", "-c", SCRIPT.formatted(pid))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            DutyCycle cycle = new DutyCycle(process, percent, shell);
            cycle.thread.setDaemon(true);
            cycle.thread.start();
            return cycle;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns for how long the process has been stopped so far. */
    Duration stopped() {
        return Duration.ofNanos(stoppedNanos.get());
    }

    /** Ends the cycle; the process runs then. */
    @Override
    public void close() {
        over = true;
        try {
            thread.join(END_BOUND_MILLIS);
            if (!shell.waitFor(END_BOUND_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the shell that sends signals does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted at the end of a duty cycle", e);
        }
    }

    private void run() {
        try (Writer signals = shell.outputWriter(StandardCharsets.US_ASCII)) {
            while (!over && process.isAlive()) {
                send(signals, "STOP");
                long from = System.nanoTime();
                Thread.sleep(PERIOD_MILLIS - runMillis);
                send(signals, "CONT");
                stoppedNanos.addAndGet(System.nanoTime() - from);
                Thread.sleep(runMillis);
            }
        } catch (IOException processGone) {
            // Then the shell has ended, too.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(Writer signals, String signal) throws IOException {
        signals.write(signal + "\n");
        signals.flush();
    }
}
