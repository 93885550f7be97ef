package io.raftlock.chaos.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a node's meters showed at one moment. They count from the node's start, and what a node
 * applies again after a start counts again.
 *
 * @param values by the name and labels that the node gives them
 */
public record Meters(Map<String, Double> values) {
    public Meters {
        values = Map.copyOf(values);
    }

    static Optional<Meters> of(String address, Duration bound) {
        int millis = Math.toIntExact(bound.toMillis());
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) new URL("http://" + address + "/metrics").openConnection();
            connection.setConnectTimeout(millis);
            connection.setReadTimeout(millis);
            try (InputStream body = connection.getInputStream()) {
                return Optional.of(parse(new String(body.readAllBytes(), StandardCharsets.UTF_8)));
            }
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private static Meters parse(String text) {
        Map<String, Double> values = new TreeMap<>();
        text.lines()
                .filter(line -> !line.startsWith("#") && line.contains(" "))
                .forEach(
                        line -> {
                            int space = line.lastIndexOf(' ');
                            values.put(
                                    line.substring(0, space),
                                    Double.parseDouble(line.substring(space + 1)));
                        });
        return new Meters(values);
    }

    /** Sessions that are open; cheaper to ask for than a status, which sums up the whole state. */
    public long sessions() {
        return value("raftlock_sessions");
    }

    /** Sessions that ended, for whatever reason. */
    public long sessionsEnded() {
        return value("raftlock_notices_total{kind=\"session_ended\"}");
    }

    /** Connections of clients that the node has taken. */
    public long connectionsAccepted() {
        return value("raftlock_connections_accepted_total");
    }

    private long value(String name) {
        Double found = values.get(name);
        if (found == null) {
            throw new IllegalStateException("no meter " + name + " in " + values.keySet());
        }
        return found.longValue();
    }
}
