package io.raftlock.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

class ProgressTest {
    private static final Duration TOTAL = Duration.ofMinutes(2);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void aTerminalShowsOneLineThatIsWrittenOver() {
        Progress progress = new Progress(out, TOTAL, true);
        progress.show(status(61, "KILL n1", "LOSS of everybody and more of it"));
        progress.show(status(62));
        progress.end();
        String[] lines = shown().split("\r", -1);
        assertThat(lines[1])
                .startsWith("1:01/2:00 FAULTS, 512 ops/s, n2 leads term 4, 2 of 3 up, 1 complaints")
                .endsWith("…")
                .hasSize(Progress.WIDTH);
        assertThat(lines[2]).doesNotContain("KILL").hasSize(Progress.WIDTH + 1).endsWith("\n");
    }

    @Test
    void elsewhereThereIsALineEveryTenSeconds() {
        Progress progress = new Progress(out, TOTAL, false);
        for (int second = 0; second <= 25; second++) {
            progress.show(status(second, "KILL n1"));
        }
        progress.end();
        assertThat(shown().lines()).hasSize(3).allMatch(line -> line.endsWith(", KILL n1"));
        assertThat(shown()).doesNotContain("\r").contains("0:10/2:00", "0:20/2:00");
    }

    @Test
    void noLeaderIsSaidSo() {
        Status none = new Status(Duration.ZERO, "START", List.of(), 0, "", 0, 0, 3, 0);
        new Progress(out, TOTAL, false).show(none);
        assertThat(shown()).contains("no leader, 0 of 3 up");
    }

    private static Status status(int seconds, String... faults) {
        Duration elapsed = Duration.ofSeconds(seconds);
        return new Status(elapsed, "FAULTS", List.of(faults), 512, "n2", 4, 2, 3, 1);
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
