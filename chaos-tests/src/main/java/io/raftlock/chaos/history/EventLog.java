package io.raftlock.chaos.history;

import org.jspecify.annotations.Nullable;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes the events of a run into a file, one JSON text a line. Any thread may append; one thread
 * of its own writes, and hands on to the operating system whenever nothing more is waiting, so that
 * a run that dies loses little.
 *
 * <p>The last line says how many lines stand before it. A file without that line, or with another
 * number of lines, has lost an event.
 */
public final class EventLog implements AutoCloseable {
    /** Kind of the last line's event. */
    static final String COUNT_KIND = "recorder";

    private static final int MAX_WAITING = 100_000;
    private static final long OFFER_SECONDS = 10;
    private static final long POLL_MILLIS = 50;
    private static final long CLOSE_MILLIS = 60_000;

    private final BlockingQueue<Event> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicLong accepted = new AtomicLong();
    private final BufferedWriter out;
    private final Thread writer;
    private volatile boolean closing;
    private volatile @Nullable IOException failure;

    /**
     * Opens a new file.
     *
     * @throws UncheckedIOException if it exists, or cannot be made
     */
    public EventLog(Path file) {
        try {
            out = Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        writer = new Thread(this::writeAll, "event-log");
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Takes an event, to be written soon. Waits while very many are waiting.
     *
     * @throws IllegalStateException if the log is closed, could not be written to, or is stuck
     */
    public void append(Event event) {
        if (closing || failure != null) {
            throw new IllegalStateException("the event log takes no more events", failure);
        }
        accepted.incrementAndGet();
        try {
            if (!waiting.offer(event, OFFER_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the event log's disk does not keep up");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: an event is lost", e);
        }
    }

    /** Returns how many events were handed in, whether or not they could be written. */
    public long accepted() {
        return accepted.get();
    }

    private void writeAll() {
        try {
            while (!closing || !waiting.isEmpty()) {
                Event event = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
                if (event != null) {
                    write(event);
                }
                if (waiting.isEmpty()) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            failure = new IOException("the writer was interrupted", e);
        }
    }

    private void write(Event event) throws IOException {
        out.write(EventLine.of(event));
        out.write('\n');
    }

    /**
     * Writes what is waiting, and then how many events there should be.
     *
     * @throws UncheckedIOException if something could not be written
     */
    @Override
    public void close() {
        if (closing) {
            return;
        }
        closing = true;
        try {
            writer.join(CLOSE_MILLIS);
            IOException failed = failure;
            if (failed == null && writer.isAlive()) {
                failed = new IOException("the event log's disk is stuck");
            }
            if (failed != null) {
                throw failed;
            }
            String count = Long.toString(accepted.get());
            write(new Event.Noted(System.nanoTime(), COUNT_KIND, "events", count));
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
