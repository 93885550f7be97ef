package io.raftlock.chaos.store;

import com.fasterxml.jackson.annotation.JsonProperty;

import io.raftlock.chaos.history.Event.StoreAction;

/**
 * What a client asks of the store.
 *
 * @param id by which the client knows the answer
 * @param token of the hold under which it asks
 * @param element that is to be added; 0 for a read
 * @param basedOn version that it has read; 0 for a read
 */
public record StoreRequest(
        @JsonProperty("store") StoreAction action,
        long id,
        String lock,
        long token,
        long element,
        long basedOn) {
    public static StoreRequest read(long id, String lock, long token) {
        return new StoreRequest(StoreAction.READ, id, lock, token, 0, 0);
    }

    public static StoreRequest write(long id, String lock, long token, long element, long basedOn) {
        return new StoreRequest(StoreAction.WRITE, id, lock, token, element, basedOn);
    }
}
