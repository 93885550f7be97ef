package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.server.raft.VoteFile.DamagedVoteException;
import io.raftlock.server.raft.VoteFile.Vote;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class VoteFileTest {
    private static final Vote BEFORE = new Vote(7, "10.0.0.1:4801");
    private static final Vote AFTER = new Vote(8, "10.0.0.22:4801");
    private static final int COPY_BYTES = 4_096;
    private static final int SECTOR_BYTES = 512;

    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void create() throws IOException {
        file = folder.resolve("vote");
        VoteFile.create(file, new Vote(0, "0.0.0.0:0"));
    }

    private void save(Vote vote) throws IOException {
        try (VoteFile open = VoteFile.open(file)) {
            open.save(vote);
        }
    }

    private Vote read() throws IOException {
        try (VoteFile open = VoteFile.open(file)) {
            return open.vote();
        }
    }

    @Test
    void hasWhatWasSavedLast() throws IOException {
        assertThat(read()).isEqualTo(new Vote(0, "0.0.0.0:0"));
        try (VoteFile open = VoteFile.open(file)) {
            for (int term = 1; term <= 5; term++) {
                open.save(new Vote(term, "node-" + term + ":1"));
                assertThat(open.vote().term()).isEqualTo(term);
                assertThat(read()).isEqualTo(open.vote());
            }
        }
        save(AFTER);
        save(BEFORE);
        assertThat(read()).isEqualTo(BEFORE);
        assertThat(Files.size(file)).isEqualTo(2 * COPY_BYTES);
    }

    @Test
    void oneDamagedCopyIsMadeUpForByTheOther() throws IOException {
        save(BEFORE);
        save(AFTER);
        for (int at = 0; at < 2 * COPY_BYTES; at++) {
            StoredFiles.flipBit(file, at);
            try (VoteFile open = VoteFile.open(file)) {
                assertThat(open.vote()).as("byte %d damaged", at).isEqualTo(AFTER);
                assertThat(open.wasHalfDamaged()).as("byte %d damaged", at).isTrue();
            }
            StoredFiles.flipBit(file, at);
        }
        try (VoteFile open = VoteFile.open(file)) {
            assertThat(open.wasHalfDamaged()).isFalse();
        }
    }

    @Test
    void aSaveMendsADamagedCopy() throws IOException {
        save(BEFORE);
        StoredFiles.flipBit(file, 20);
        save(AFTER);
        StoredFiles.flipBit(file, COPY_BYTES + 20);
        assertThat(read()).isEqualTo(AFTER);
    }

    @Test
    void isRefusedIfBothCopiesAreDamaged() throws IOException {
        save(AFTER);
        StoredFiles.flipBit(file, 20);
        StoredFiles.flipBit(file, COPY_BYTES + 20);
        assertThatThrownBy(this::read)
                .isInstanceOf(DamagedVoteException.class)
                .hasMessage("is damaged, in both its copies");
        Files.write(file, new byte[0]);
        assertThatThrownBy(this::read).isInstanceOf(DamagedVoteException.class);
    }

    /** Sectors are written whole, and those of one copy in any order, but the second copy later. */
    @Test
    void aSaveThatIsCutShortLeavesTheVoteBeforeOrTheNewOne() throws IOException {
        save(BEFORE);
        byte[] before = Files.readAllBytes(file);
        save(AFTER);
        byte[] after = Files.readAllBytes(file);
        int sectors = COPY_BYTES / SECTOR_BYTES;
        for (int copy = 0; copy < 2; copy++) {
            for (int written = 0; written < 1 << sectors; written++) {
                byte[] disk = before.clone();
                System.arraycopy(after, 0, disk, 0, copy * COPY_BYTES);
                for (int sector = 0; sector < sectors; sector++) {
                    if ((written >> sector & 1) == 1) {
                        int at = copy * COPY_BYTES + sector * SECTOR_BYTES;
                        System.arraycopy(after, at, disk, at, SECTOR_BYTES);
                    }
                }
                Files.write(file, disk);
                assertThat(read()).isIn(BEFORE, AFTER);
                if (copy == 1) {
                    assertThat(read()).isEqualTo(AFTER);
                }
            }
        }
    }
}
