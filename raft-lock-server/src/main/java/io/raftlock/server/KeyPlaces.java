package io.raftlock.server;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Where each key of a YAML text stands, so that a complaint about a value can say so. */
final class KeyPlaces {
    private final Map<String, Integer> lines = new HashMap<>();

    private KeyPlaces() {}

    /** Reads the places of all keys, up to where the text is no YAML any more. */
    static KeyPlaces of(String yaml, YAMLFactory factory) {
        KeyPlaces places = new KeyPlaces();
        try (JsonParser parser = factory.createParser(yaml)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                String pointer = parser.getParsingContext().pathAsPointer().toString();
                places.lines.putIfAbsent(keyOf(pointer), parser.currentTokenLocation().getLineNr());
            }
        } catch (IOException noMoreYaml) {
            return places;
        }
        return places;
    }

    /** Turns {@code /members/0/id} into {@code members[0].id}. */
    private static String keyOf(String pointer) {
        return pointer.replaceAll("/([0-9]+)", "[$1]").replaceFirst("^/", "").replace('/', '.');
    }

    /** Returns the line of the key or of the nearest level above it that is there, else 0. */
    int lineOf(String key) {
        for (String at = key; !at.isEmpty(); at = parentOf(at)) {
            Integer line = lines.get(at);
            if (line != null) {
                return line;
            }
        }
        return 0;
    }

    private static String parentOf(String key) {
        return key.substring(0, Math.max(0, Math.max(key.lastIndexOf('.'), key.lastIndexOf('['))));
    }
}
