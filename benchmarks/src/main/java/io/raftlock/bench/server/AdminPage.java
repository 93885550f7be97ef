package io.raftlock.bench.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a node of raft-lock tells its operators. */
public final class AdminPage {
    private static final Duration BOUND = Duration.ofSeconds(2);
    private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(BOUND).build();

    private AdminPage() {}

    /**
     * Reads a page.
     *
     * @param address host:port
     * @param path such as {@code /health}
     * @throws IOException if the node does not answer in time
     */
    public static String read(String address, String path)
            throws IOException, InterruptedException {
        URI page = URI.create("http://" + address + path);
        return HTTP.send(
                        HttpRequest.newBuilder(page).timeout(BOUND).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
