package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.store.StoreAnswer;
import io.raftlock.chaos.store.StoreRequest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

class LinesTest {
    private final List<Object> read = new ArrayList<>();

    @ParameterizedTest
    @EnumSource(names = "SWEEP", mode = EnumSource.Mode.EXCLUDE)
    void aWorkloadComesBackAsItWasWritten(WorkloadKind kind) {
        WorkloadSpec spec = WorkloadSpec.of(kind, 2_000);
        assertThat(WorkloadSpec.decode(spec.encode())).isEqualTo(spec);
        assertThat(spec.encode()).doesNotContain("\n");
    }

    @Test
    void whatIsNoWorkloadIsRefused() {
        assertThatThrownBy(() -> WorkloadSpec.decode("{\"kind\":\"SEMAPHORE\"}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theArgumentsOfAClientComeBackAsTheyWere() {
        ClientSettings settings =
                new ClientSettings(
                        "c1",
                        "c1.2",
                        17,
                        -5,
                        WorkloadSpec.of(WorkloadKind.FAIR_QUEUE, 2_000),
                        List.of("n1:9100", "n2:9100"));
        assertThat(ClientSettings.parse(settings.toArguments())).isEqualTo(settings);
    }

    @Test
    void eventsAndQuestionsComeBackAsTheyWere() throws JsonProcessingException {
        List<Object> written =
                List.of(
                        new Event.Invoked(1, 2, "c1.1", 3, Event.Action.TIMED_LOCK, "a/1", 4),
                        new Event.Returned(1, 2, Event.Result.INFO, 3, "say \"no\"\n"),
                        new Event.Believed(1, 2, true, false),
                        new Event.SessionSeen(1, "c1.1", "OPEN", 77, ""),
                        new Event.Noted(1, "read", "c1.1", "é"),
                        StoreRequest.read(7, "a/1", 99),
                        StoreRequest.write(8, "a/1", 99, 5, 1));
        for (Object each : written) {
            String line = Lines.encode(each);
            assertThat(line).doesNotContain("\n");
            Lines.decode(line, read::add, read::add);
        }
        assertThat(read).isEqualTo(written);
    }

    @Test
    void anAnswerOfTheStoreComesBackAsItWas() throws JsonProcessingException {
        StoreAnswer answer = new StoreAnswer(7, 3);
        assertThat(Lines.answer(Lines.encode(answer))).isEqualTo(answer);
    }

    @Test
    void onlyOrdersAreOrders() {
        for (Order order : Order.values()) {
            assertThat(Order.of(order.word())).contains(order);
        }
        assertThat(Order.of(Lines.encode(new StoreAnswer(1, 1)))).isEmpty();
    }
}
