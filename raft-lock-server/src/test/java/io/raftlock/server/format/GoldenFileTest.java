package io.raftlock.server.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.lock.Snapshot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The bytes on disk do not change: what these files hold was written by an earlier version. Run
 * with -Dgolden.write=true to add the files of a new kind; a changed file is a broken upgrade.
 */
class GoldenFileTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/golden/format");

    @ParameterizedTest
    @EnumSource(Command.Kind.class)
    void everyCommandHasItsBytes(Command.Kind kind) throws IOException {
        Entry entry = new Entry(1_000, List.of(Samples.command(kind)));
        byte[] golden = golden("command-" + kind, EntryCodec.encode(entry));
        assertThat(EntryCodec.encode(entry)).isEqualTo(golden);
        assertThat(EntryCodec.decode(ByteBuffer.wrap(golden), Formats.NEWEST)).isEqualTo(entry);
    }

    @ParameterizedTest
    @EnumSource(Outcome.Kind.class)
    void everyOutcomeHasItsBytes(Outcome.Kind kind) throws IOException {
        Outcome outcome = Samples.outcome(kind);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FieldWriter out = new FieldWriter(bytes, 64);
        OutcomeCodec.write(out, outcome);
        out.flush();
        byte[] golden = golden("outcome-" + kind, bytes.toByteArray());
        assertThat(bytes.toByteArray()).isEqualTo(golden);
        assertThat(OutcomeCodec.read(new FieldReader(ByteBuffer.wrap(golden)))).isEqualTo(outcome);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theSnapshotHasItsBytes(int format) throws IOException, DamagedSnapshotException {
        Snapshot snapshot = Samples.snapshot(format);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SnapshotCodec.write(snapshot, bytes);
        byte[] golden =
                golden(format == 1 ? "snapshot" : "snapshot-" + format, bytes.toByteArray());
        assertThat(bytes.toByteArray()).isEqualTo(golden);
        assertThat(SnapshotCodec.read(new ByteArrayInputStream(golden), Formats.NEWEST))
                .isEqualTo(snapshot);
    }

    @Test
    void theDigestIsThatOfTheSnapshotsBytes() {
        assertThat(StateDigest.of(Samples.snapshot(1))).isEqualTo("ba0048bced6f7715");
        assertThat(StateDigest.of(Samples.large(1))).isNotEqualTo(StateDigest.of(Samples.large(2)));
    }

    @Test
    void noFileIsLeftOfAKindThatIsGone() throws IOException {
        long kinds = Command.Kind.values().length + Outcome.Kind.values().length + 2L;
        try (var files = Files.list(DIRECTORY)) {
            assertThat(files.count()).isEqualTo(kinds);
        }
    }

    private static byte[] golden(String name, byte[] now) throws IOException {
        Path file = DIRECTORY.resolve(name + ".hex");
        if (Boolean.getBoolean("golden.write") && !Files.exists(file)) {
            Files.write(file, lines(now));
        }
        return HexFormat.of().parseHex(String.join("", Files.readAllLines(file)));
    }

    private static List<String> lines(byte[] bytes) {
        return Arrays.asList(HexFormat.of().formatHex(bytes).split("(?<=\\G.{64})"));
    }
}
