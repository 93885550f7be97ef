package io.raftlock.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.ledger.Journal;
import io.raftlock.chaos.ledger.JournalSource;
import io.raftlock.server.raft.EntryObserver;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;

class JournalObserverTest {
    private static final int RECORD_OF_THREE = 8 + 8 + 4 + 3;

    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void choose() {
        file = folder.resolve("n1-1.journal");
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        byte[] large = new byte[200_000];
        Arrays.fill(large, (byte) 9);
        JournalObserver observer = new JournalObserver(file.toString());
        observer.applied(5, 2, ByteBuffer.wrap(new byte[] {1, 2, 3}).asReadOnlyBuffer());
        observer.applied(6, 2, ByteBuffer.allocate(0));
        observer.applied(8, 3, ByteBuffer.wrap(large));
        List<JournalSource.Recorded> read = read();
        assertThat(read).extracting(JournalSource.Recorded::index).containsExactly(5L, 6L, 8L);
        assertThat(read).extracting(JournalSource.Recorded::term).containsExactly(2L, 2L, 3L);
        assertThat(read)
                .extracting(JournalSource.Recorded::entry)
                .containsExactly(new byte[] {1, 2, 3}, new byte[0], large);
    }

    @Test
    void eachEntryIsInTheFileWhenItHasBeenSeen() throws IOException {
        JournalObserver observer = new JournalObserver(file.toString());
        for (int i = 1; i <= 3; i++) {
            observer.applied(i, 1, ByteBuffer.wrap(new byte[] {1, 2, 3}));
            assertThat(Files.size(file)).isEqualTo(i * (long) RECORD_OF_THREE);
        }
    }

    @Test
    void aTornLastRecordIsLeftOut() throws IOException {
        JournalObserver observer = new JournalObserver(file.toString());
        observer.applied(1, 1, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        observer.applied(2, 1, ByteBuffer.wrap(new byte[] {4, 5, 6}));
        byte[] whole = Files.readAllBytes(file);
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThat(read()).as("first %d bytes", length).hasSize(length / RECORD_OF_THREE);
        }
    }

    @Test
    void whatIsNoJournalIsNotTakenForOne() throws IOException {
        Files.writeString(file, "node n1 of cluster raft-lock serves clients");
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no journal");
    }

    @Test
    void aJournalOfAnotherLifeIsNotOverwritten() throws IOException {
        Files.createFile(file);
        assertThatThrownBy(() -> new JournalObserver(file.toString()))
                .isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void withoutAFileNothingIsWritten() {
        new JournalObserver(null).applied(1, 1, ByteBuffer.wrap(new byte[] {1}));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aNodeFindsIt() {
        assertThat(ServiceLoader.load(EntryObserver.class))
                .hasExactlyElementsOfTypes(JournalObserver.class);
    }

    private List<JournalSource.Recorded> read() throws IOException {
        List<JournalSource.Recorded> all = new ArrayList<>();
        try (Journal journal = Journal.open(file)) {
            journal.forEachRemaining(all::add);
        }
        return all;
    }
}
