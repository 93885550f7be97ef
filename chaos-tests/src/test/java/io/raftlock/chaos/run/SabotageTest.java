package io.raftlock.chaos.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class SabotageTest {
    private static final String ENGINE_OPTIONS = "io/raftlock/server/raft/EngineOptions.class";

    @TempDir Path folder;

    @Test
    void aBugIsCompiledToClassesThatDifferFromTheNodesOwn() throws IOException {
        Sabotage.compile("NO_SYNC", folder);
        byte[] own;
        try (var in = getClass().getClassLoader().getResourceAsStream(ENGINE_OPTIONS)) {
            own = in.readAllBytes();
        }
        assertThat(Files.readAllBytes(folder.resolve(ENGINE_OPTIONS)))
                .startsWith(0xCA, 0xFE, 0xBA, 0xBE)
                .isNotEqualTo(own);
    }

    @Test
    void theBugsOfAllControlsAreThereAndTheirSchedulesCanBeRead() throws IOException {
        for (Controls.Control control : Controls.ALL) {
            assertThat(NamedSchedules.find(control.schedule()).steps()).isNotEmpty();
            if (!control.bug().isEmpty()) {
                Sabotage.compile(control.bug(), folder.resolve(control.bug()));
            }
        }
        assertThat(Sabotage.names()).hasSizeGreaterThan(15);
    }

    @Test
    void anUnknownBugIsRefusedWithTheNamesOfAll() {
        assertThatThrownBy(() -> Sabotage.compile("NOTHING", folder))
                .hasMessageContaining("NOTHING")
                .hasMessageContaining("NO_SYNC");
    }

    @Test
    void schedulesOfEveryBuildAreForClientsThatThereAre() throws IOException {
        for (String name : List.of("smoke-a", "smoke-b", "smoke-c", "power-cuts")) {
            NamedSchedules.find(name)
                    .clients()
                    .forEach(client -> assertThat(Clients.spec(client)).isNotNull());
        }
        assertThatThrownBy(() -> NamedSchedules.find("no-such"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no-such")
                .hasMessageContaining("smoke-a");
        Path file = folder.resolve("broken.json");
        Files.write(file, "{}}".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> NamedSchedules.find(file.toString()))
                .isInstanceOf(IOException.class);
    }

    @Test
    void clientsThatCompeteAreInEveryRunAndTheOthersInSome() {
        assertThat(Clients.draw(1)).startsWith("FENCED_MUTEX", "FENCED_MUTEX").hasSize(7);
        List<String> drawn =
                java.util.stream.LongStream.range(0, 50)
                        .boxed()
                        .flatMap(seed -> Clients.draw(seed).stream())
                        .distinct()
                        .toList();
        assertThat(drawn)
                .contains(
                        "REENTRANT",
                        "FAIR_QUEUE",
                        "SESSIONS",
                        "MANY_KEYS",
                        "HOLDER_READS",
                        "RETRIES",
                        "IDLE")
                .doesNotContain("SWEEP");
    }
}
