package io.raftlock.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

class AdminConnectionTest {
    private AdminPages.Health health = new AdminPages.Health(true, "n1 leads in term 3");
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    new AdminConnection(
                            new AdminPages() {
                                @Override
                                public String metrics() {
                                    return "raftlock_term 3.0\n";
                                }

                                @Override
                                public Health health() {
                                    return health;
                                }
                            }));

    @Test
    void metricsAreShown() {
        assertThat(get("/metrics")).isEqualTo("200 raftlock_term 3.0\n");
    }

    @Test
    void aNodeThatKnowsALeaderIsHealthy() {
        assertThat(get("/health?verbose")).isEqualTo("200 n1 leads in term 3\n");
    }

    @Test
    void aNodeThatKnowsNoLeaderIsUnavailable() {
        health = new AdminPages.Health(false, "n1 knows no leader");
        assertThat(get("/health")).isEqualTo("503 n1 knows no leader\n");
    }

    @Test
    void anotherPathSaysWhatThereIs() {
        assertThat(get("/")).isEqualTo("404 there is nothing at /: see /health and /metrics\n");
    }

    @Test
    void nothingCanBeChangedHere() {
        assertThat(ask(HttpMethod.POST, "/health")).isEqualTo("405 only GET is served here\n");
    }

    private String get(String path) {
        return ask(HttpMethod.GET, path);
    }

    private String ask(HttpMethod method, String path) {
        channel.writeInbound(
                new DefaultFullHttpRequest(
                        HttpVersion.HTTP_1_1, method, path, Unpooled.EMPTY_BUFFER));
        FullHttpResponse response = channel.readOutbound();
        String body = response.content().toString(StandardCharsets.UTF_8);
        response.release();
        return response.status().code() + " " + body;
    }
}
