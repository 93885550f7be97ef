package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

class DataDirectoryTest {
    @TempDir Path temp;

    private void assertRefused(Path root, String cluster, String node, String... words) {
        assertThatThrownBy(() -> DataDirectory.open(root, cluster, node))
                .isInstanceOf(NodeStartException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aMissingDirectoryIsMadeAndCanBeOpenedAgain() throws Exception {
        Path root = temp.resolve("new/deep");
        for (int round = 0; round < 2; round++) {
            try (DataDirectory data = DataDirectory.open(root, "c", "n1")) {
                assertThat(data.log()).isDirectory();
                assertThat(data.meta()).isDirectory();
                assertThat(data.snapshot()).isDirectory();
            }
        }
    }

    @Test
    void itIsOpenOnceAtATime() throws Exception {
        try (DataDirectory data = DataDirectory.open(temp, "c", "n1")) {
            assertRefused(temp, "c", "n1", temp.toString(), "is in use by another process");
            assertThat(data.log()).isDirectory();
        }
        DataDirectory.open(temp, "c", "n1").close();
    }

    @Test
    void theDirectoryOfAnotherNodeIsLeftAlone() throws Exception {
        DataDirectory.open(temp, "c", "n1").close();
        assertRefused(temp, "c", "n2", "belongs to node \"n1\" of cluster \"c\"", "node \"n2\"");
        assertRefused(temp, "d", "n1", "cluster \"c\"", "cluster \"d\"");
        DataDirectory.open(temp, "c", "n1").close();
    }

    @Test
    void aDirectoryOfSomethingElseIsNotTouched() throws Exception {
        Files.writeString(temp.resolve("precious"), "data");
        assertRefused(temp, "c", "n1", "none of raft-lock's");
        try (Stream<Path> files = Files.list(temp)) {
            assertThat(files).containsExactly(temp.resolve("precious"));
        }
    }

    @Test
    void aFirstStartThatWasCutShortIsMadeGood() throws Exception {
        Files.createFile(temp.resolve("lock"));
        Files.createDirectory(temp.resolve("log"));
        Files.writeString(temp.resolve("identity.new"), "for");
        DataDirectory.open(temp, "c", "n1").close();
        DataDirectory.open(temp, "c", "n1").close();
    }

    @Test
    void partsWithoutAnOwnerAreNotTakenOver() throws Exception {
        Files.createDirectory(temp.resolve("log"));
        Files.createFile(temp.resolve("log/000001.log"));
        assertRefused(temp, "c", "n1", "none of raft-lock's");
    }

    @Test
    void aPartThatIsGoneIsNotMadeAgain() throws Exception {
        DataDirectory.open(temp, "c", "n1").close();
        Files.delete(temp.resolve("meta"));
        assertRefused(temp, "c", "n1", "lacks its part \"meta\"");
        assertThat(temp.resolve("meta")).doesNotExist();
    }

    @Test
    void otherFormatsAndDamageAreCalledSo() throws Exception {
        DataDirectory.open(temp, "c", "n1").close();
        Files.writeString(temp.resolve("identity"), "format=2\n");
        assertRefused(temp, "c", "n1", "does not have the format");
        Files.writeString(temp.resolve("identity"), "format=1\nclus");
        assertRefused(temp, "c", "n1", "is damaged");
        Files.writeString(temp.resolve("identity"), "");
        assertRefused(temp, "c", "n1", "does not have the format");
    }

    @Test
    void aFileInItsPlaceIsNoDirectory() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        assertRefused(file, "c", "n1", "data directory " + file, "cannot be used");
    }
}
