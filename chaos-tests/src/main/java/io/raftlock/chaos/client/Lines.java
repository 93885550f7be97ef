package io.raftlock.chaos.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.store.StoreAnswer;
import io.raftlock.chaos.store.StoreRequest;

import java.util.function.Consumer;

/**
 * What a client and its driver write to each other, one line each: the client events and requests
 * to the store, the driver orders and the store's answers.
 */
final class Lines {
    static final ObjectMapper JSON = new ObjectMapper();

    private Lines() {}

    static String encode(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a record that cannot be written", e);
        }
    }

    /**
     * Reads what a client wrote.
     *
     * @throws JsonProcessingException if it is neither an event nor a request
     */
    static void decode(String line, Consumer<Event> events, Consumer<StoreRequest> requests)
            throws JsonProcessingException {
        JsonNode tree = JSON.readTree(line);
        if (tree.has("store")) {
            requests.accept(JSON.treeToValue(tree, StoreRequest.class));
        } else {
            events.accept(JSON.treeToValue(tree, Event.class));
        }
    }

    /**
     * Reads an answer of the store.
     *
     * @throws JsonProcessingException if it is something else
     */
    static StoreAnswer answer(String line) throws JsonProcessingException {
        return JSON.readValue(line, StoreAnswer.class);
    }
}
