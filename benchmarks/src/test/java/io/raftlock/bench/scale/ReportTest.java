package io.raftlock.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class ReportTest {
    @Test
    void figuresArePrintedAndWritten(@TempDir Path folder) throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Report report = new Report(folder, new PrintStream(printed, true, StandardCharsets.UTF_8));
        Report.Part part = report.part("locks", 1_000_000);
        part.add("disk", 123.4, "MiB");
        part.addBounded("restart", 21.5, "s", 20);
        part.addBounded("lost", 0, "", 0);
        report.write();
        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "locks: 1,000,000",
                        "  disk: 123 MiB",
                        "  restart: 21.5 s (at most 20: no)",
                        "  lost: 0 (at most 0: yes)");
        assertThat(Files.readString(folder.resolve("results.md")))
                .contains("| locks | 1,000,000 | disk | 123 | MiB |  |  |")
                .contains("| locks | 1,000,000 | restart | 21.5 | s | 20 | no |");
        assertThat(Files.readAllLines(folder.resolve("rows.csv")))
                .contains("locks,1000000,disk,123.400000,MiB,")
                .contains("locks,1000000,restart,21.500000,s,20.0");
    }

    @Test
    void numbersHaveAFewDigits() {
        assertThat(Figure.text(0)).isEqualTo("0");
        assertThat(Figure.text(0.01234)).isEqualTo("0.0123");
        assertThat(Figure.text(1.234)).isEqualTo("1.23");
        assertThat(Figure.text(12.34)).isEqualTo("12.3");
        assertThat(Figure.text(1_234.5)).isEqualTo("1,235");
    }

    @Test
    void aTextThatWouldBreakTheFilesIsRefused(@TempDir Path folder) {
        Report.Part part = new Report(folder, System.out).part("locks", 1);
        assertThatThrownBy(() -> part.add("first, second", 1, ""))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
