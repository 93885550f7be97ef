package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.store.StoreRequest;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

class ClientOutputTest {
    private static final Event BELIEVED = new Event.Believed(1, 2, true, false);
    private static final StoreRequest READ = StoreRequest.read(7, "a/1", 99);

    private final List<Event> events = new ArrayList<>();
    private final List<StoreRequest> requests = new ArrayList<>();

    @Test
    void eventsAndQuestionsGoTheirWays() {
        read(Lines.encode(BELIEVED) + '\n' + Lines.encode(READ) + '\n');
        assertThat(events).containsExactly(BELIEVED);
        assertThat(requests).containsExactly(READ);
    }

    @Test
    void aLastLineThatAKillHasTornIsNoted() {
        String whole = Lines.encode(BELIEVED);
        String torn = whole.substring(0, whole.length() - 3);
        read(whole + '\n' + torn);
        assertThat(events).containsExactly(BELIEVED, new Event.Noted(5, "torn", "c1.1", torn));
    }

    @Test
    void whatIsNoLineOfAClientIsNotedAndTheRestIsRead() {
        read("DEBUG io.netty\n" + Lines.encode(BELIEVED) + '\n');
        read("{\"event\":\"unheard-of\"}\n" + Lines.encode(BELIEVED) + '\n');
        read("oops\noops\n");
        assertThat(events)
                .filteredOn(Event.Noted.class::isInstance)
                .extracting(event -> ((Event.Noted) event).kind())
                .containsExactly("garbage", "garbage", "garbage", "torn");
        assertThat(events).contains(BELIEVED);
    }

    private void read(String text) {
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        new ClientOutput("c1.1", () -> 5, in, events::add, requests::add).run();
    }
}
