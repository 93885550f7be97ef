package io.raftlock.chaos.client;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.store.StoreRequest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Reads what one life of a client writes, until it ends. Owned by the thread that reads. */
final class ClientOutput implements Runnable {
    private final String client;
    private final LongSupplier clockNanos;
    private final BufferedReader in;
    private final Consumer<Event> events;
    private final Consumer<StoreRequest> requests;

    ClientOutput(
            String client,
            LongSupplier clockNanos,
            InputStream in,
            Consumer<Event> events,
            Consumer<StoreRequest> requests) {
        this.client = client;
        this.clockNanos = clockNanos;
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.events = events;
        this.requests = requests;
    }

    /** A kill may tear the last line; any other that cannot be read is worth another note. */
    @Override
    public void run() {
        String unreadable = null;
        try (in) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (unreadable != null) {
                    note("garbage", unreadable);
                }
                unreadable = take(line) ? null : line;
            }
        } catch (IOException e) {
            note("torn", "the output broke: " + e.getMessage());
        }
        if (unreadable != null) {
            note("torn", unreadable);
        }
    }

    private boolean take(String line) {
        try {
            Lines.decode(line, events, requests);
            return true;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private void note(String kind, String text) {
        events.accept(new Event.Noted(clockNanos.getAsLong(), kind, client, text));
    }
}
