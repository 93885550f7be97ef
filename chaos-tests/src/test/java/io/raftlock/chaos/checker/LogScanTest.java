package io.raftlock.chaos.checker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

class LogScanTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01 ERROR [apply] something",
                "[ERROR] something",
                "java.lang.OutOfMemoryError: Java heap space",
                "Caused by: java.lang.StackOverflowError",
                "LEAK: ByteBuf.release() was not called",
                "Found one Java-level deadlock:",
                "java.lang.IllegalStateException: invariant broken: a lock has one holder",
                "Exception in thread \"main\" java.lang.NullPointerException"
            })
    void findsWhatNoProgramShouldSay(String line) {
        assertThat(LogScan.DEFAULT.finds(line, "")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-01-01 INFO [apply] STATE_ERRORS: 0",
                "2026-01-01 WARN a peer does not answer",
                ""
            })
    void letsOrdinaryLinesPass(String line) {
        assertThat(LogScan.DEFAULT.finds(line, "")).isFalse();
    }

    @Test
    void notesWhereItFoundWhatAndNotWhatIsAllowed() throws IOException {
        Path log =
                Files.writeString(
                        folder.resolve("n1.log"),
                        "INFO all is well\nERROR the disk is full\nERROR something else\n");
        LogScan scan = LogScan.DEFAULT.allowing(List.of(Pattern.compile("disk is full")));
        assertThat(scan.scan(log, "n1", 7))
                .singleElement()
                .satisfies(
                        note -> {
                            assertThat(note.kind()).isEqualTo(InternalCheck.INTERNAL);
                            assertThat(note.where()).isEqualTo("n1");
                            assertThat(note.text()).isEqualTo("ERROR something else");
                        });
        assertThat(LogScan.DEFAULT.scan(log, "n1", 7)).hasSize(2);
    }

    @Test
    void whatAllowsALineMayReachIntoTheNextOne() throws IOException {
        LogScan scan = LogScan.DEFAULT.allowing(List.of(Pattern.compile("it ended\njava\\.Known")));
        assertThat(scan.finds("ERROR it ended", "java.Known: for a reason")).isFalse();
        assertThat(scan.finds("ERROR it ended", "java.Other: for no reason")).isTrue();
        assertThat(scan.finds("ERROR it ended", "")).isTrue();
        Path log =
                Files.writeString(
                        folder.resolve("n1.log"),
                        "ERROR it ended\njava.Known\nERROR it ended\nERROR it ended\njava.Known\n");
        assertThat(scan.scan(log, "n1", 7)).hasSize(1);
    }
}
