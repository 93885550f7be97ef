package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.server.lock.Command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** What a node needs to start. */
@Timeout(60)
class NodeStartTest {
    @TempDir Path root;

    @Test
    void aTakenPortOrAnUnknownNameIsSaid() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            Member self = group.members.get(0);
            // The directory is taken too: DataDirectoryTest has that by itself.
            assertThatThrownBy(() -> group.start("n1"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll(self.raftAddress(), "is in use");
            assertThatThrownBy(() -> group.start("n7"))
                    .isInstanceOf(NodeStartException.class)
                    .hasMessageContainingAll("\"n7\" is not among the members", "[n1]");
            group.perform(new Command.Stamp());
            group.stop("n1");
            try (ServerSocket taken =
                    new ServerSocket(self.raftPort(), 1, InetAddress.getByName("127.0.0.1"))) {
                assertThatThrownBy(() -> group.start("n1"))
                        .isInstanceOf(NodeStartException.class)
                        .hasMessageContainingAll(self.raftAddress(), "is in use");
                assertThat(taken.isBound()).isTrue();
            }
            group.start("n1");
            group.perform(new Command.Stamp());
        }
    }

    @Test
    void anIdleNodeTakesLittleDisk() throws Exception {
        try (TestGroup group = TestGroup.started(root, 1)) {
            group.openSession();
            Process du =
                    new ProcessBuilder("du", "-sk", group.data("n1").toString())
                            .redirectErrorStream(true)
                            .start();
            String answer = new String(du.getInputStream().readAllBytes());
            assertThat(Long.parseLong(answer.split("\\s")[0])).isLessThan(60 * 1024);
        }
    }
}
