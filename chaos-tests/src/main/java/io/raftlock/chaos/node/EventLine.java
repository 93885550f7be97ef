package io.raftlock.chaos.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.raftlock.chaos.history.Event;

/** Events as lines of text, as they go from one process to another. */
final class EventLine {
    private static final ObjectMapper JSON = new ObjectMapper();

    private EventLine() {}

    static String of(Event event) {
        try {
            return JSON.writerFor(Event.class).writeValueAsString(event);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no event is beyond JSON", e);
        }
    }

    static Event parse(String line) throws JsonProcessingException {
        return JSON.readValue(line, Event.class);
    }
}
