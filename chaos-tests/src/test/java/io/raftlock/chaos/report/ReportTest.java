package io.raftlock.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

class ReportTest {
    private static final String COMMAND = "scripts/chaos --seed 42";

    @TempDir Path folder;

    @Test
    void aReportHasAllItsFiles() throws IOException {
        Path run = folder.resolve("run");
        String summary = write(run, ExampleRun.events());
        assertThat(names(run))
                .containsExactly(
                        "latency.png", "rate.png", "results.json", "summary.txt", "timeline.html");
        assertThat(Files.readString(run.resolve(Report.SUMMARY))).isEqualTo(summary);
        assertThat(ImageIO.read(run.resolve(Report.LATENCY).toFile()).getWidth())
                .isEqualTo(Picture.WIDTH);
        assertThat(ImageIO.read(run.resolve(Report.RATE).toFile())).isNotNull();
        assertThat(Results.read(run.resolve(Report.RESULTS)).command()).isEqualTo(COMMAND);
    }

    @Test
    void aReportTakesThePlaceOfAnEarlierOne() throws IOException {
        Files.writeString(folder.resolve(Report.SUMMARY), "old");
        String summary = write(folder, ExampleRun.events());
        assertThat(Files.readString(folder.resolve(Report.SUMMARY))).isEqualTo(summary);
    }

    @Test
    void nothingHalfWrittenStaysWhenAFileCannotBeWritten() throws IOException {
        Files.createDirectories(folder.resolve(Report.TIMELINE).resolve("in the way"));
        assertThatThrownBy(() -> write(folder, ExampleRun.events()))
                .isInstanceOf(IOException.class);
        assertThat(names(folder)).containsExactly("results.json", "timeline.html");
    }

    @Test
    void aFileThatFailsInTheMiddleLeavesWhatWasThere() throws IOException {
        Path file = Files.writeString(folder.resolve("a.txt"), "whole");
        assertThatThrownBy(
                        () ->
                                WholeFile.write(
                                        file,
                                        out -> {
                                            out.write(new byte[100_000]);
                                            throw new IOException("disk is full");
                                        }))
                .hasMessage("disk is full");
        assertThat(file).hasContent("whole");
        assertThat(names(folder)).containsExactly("a.txt");
    }

    @Test
    void aRunWithoutEventsHasAReport() throws IOException {
        assertThat(write(folder, List.of())).startsWith("FAILED");
    }

    /** Five times as many took 6 s on a busy machine with two cores. */
    @Test
    @Timeout(30)
    void aLongRunIsReportedInTime() throws IOException {
        List<Event> events = ExampleRun.events(16, 0.2);
        assertThat(events.size()).isGreaterThan(100_000);
        assertThat(write(folder, events)).startsWith("FAILED");
    }

    private static String write(Path folder, List<Event> events) throws IOException {
        return Report.write(folder, ExampleRun.schedule(), events, ExampleRun.failed(), COMMAND);
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
