package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.Options;

import java.nio.file.Path;

@Timeout(60)
class RocksLibraryTest {
    @TempDir Path root;

    @Test
    void aProcessThatIsKilledLeavesNothingOfItBehind() throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-Djava.io.tmpdir=" + root,
                                KilledOnceLoaded.class.getName())
                        .inheritIO()
                        .start();
        assertThat(process.waitFor()).isEqualTo(KilledOnceLoaded.STATUS);
        assertThat(root).isEmptyDirectory();
    }

    /** Ends as a killed process does: without deleting what is to be deleted on exit. */
    static final class KilledOnceLoaded {
        static final int STATUS = 9;

        private KilledOnceLoaded() {}

        public static void main(String[] args) throws NodeStartException {
            Engine.prepareStorage();
            try (Options usesTheLibrary = new Options()) {
                Runtime.getRuntime().halt(usesTheLibrary.createIfMissing() ? 1 : STATUS);
            }
        }
    }

    @Test
    void aDirectoryThatCannotTakeItIsSaid() {
        Path missing = root.resolve("missing");
        assertThatThrownBy(() -> RocksLibrary.load(missing))
                .isInstanceOf(NodeStartException.class)
                .hasMessageContainingAll("RocksDB's native library", missing.toString())
                .hasMessageContaining("-Djava.io.tmpdir");
    }
}
