package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.entity.LocalFileMetaOutter.LocalFileMeta;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.SnapshotCopierOptions;
import com.alipay.sofa.jraft.rpc.RaftClientService;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.google.protobuf.Message;

import io.raftlock.server.lock.LockStateMachine;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

class CheckedSnapshotsTest {
    private static final Message OF_ANOTHER_NODE = LocalFileMeta.getDefaultInstance();

    @TempDir Path root;

    private CheckedSnapshots snapshots;

    @BeforeEach
    void open() {
        snapshots = new CheckedSnapshots(root.toString(), "", new RaftOptions());
        assertThat(snapshots.init(null)).isTrue();
    }

    @Test
    void aSoundSnapshotIsReceived() throws IOException {
        SnapshotWriter writer = snapshots.create(true);
        SnapshotFile.write(new LockStateMachine().snapshot(), state(writer));
        assertThat(writer.addFile(SnapshotFile.NAME, OF_ANOTHER_NODE)).isTrue();
    }

    @Test
    void aDamagedOneIsNotReceivedAndTheNodesOwnCanBeWrittenStill() throws IOException { // H10
        SnapshotWriter received = snapshots.create(true);
        SnapshotFile.write(new LockStateMachine().snapshot(), state(received));
        StoredFiles.flipBit(state(received), Files.size(state(received)) / 2);
        assertThat(received.addFile(SnapshotFile.NAME, OF_ANOTHER_NODE)).isFalse();

        SnapshotWriter own = snapshots.create(true);
        SnapshotFile.write(new LockStateMachine().snapshot(), state(own));
        assertThat(own.addFile(SnapshotFile.NAME)).isTrue();
    }

    @Test
    void whatHasComeOfACancelledTransferIsNotCalledDamaged()
            throws IOException, InterruptedException {
        SnapshotCopier copier = snapshots.startToCopyFrom("remote://127.0.0.1:1/1", refused());
        copier.join();
        copier.cancel();

        // As the engine does when it was cancelled within the file.
        SnapshotWriter received = snapshots.create(true);
        SnapshotFile.write(new LockStateMachine().snapshot(), state(received));
        StoredFiles.cutOff(state(received), Files.size(state(received)) / 2);
        assertThat(received.addFile(SnapshotFile.NAME, OF_ANOTHER_NODE)).isFalse();
        copier.setError(RaftError.EIO, "not added");

        assertThat(copier.getRaftError()).isEqualTo(RaftError.ECANCELED);
    }

    /** The transfer's own thread comes to its end at once, so that the test goes on alone. */
    private static SnapshotCopierOptions refused() {
        RaftClientService service =
                (RaftClientService)
                        Proxy.newProxyInstance(
                                CheckedSnapshotsTest.class.getClassLoader(),
                                new Class<?>[] {RaftClientService.class},
                                (proxy, method, arguments) -> {
                                    if (method.getName().equals("connect")) {
                                        return true;
                                    }
                                    Closure asked = (Closure) arguments[3];
                                    asked.run(new Status(RaftError.ECANCELED, "refused"));
                                    return new CompletableFuture<>();
                                });
        SnapshotCopierOptions options = new SnapshotCopierOptions();
        options.setGroupId("group");
        options.setRaftClientService(service);
        options.setRaftOptions(new RaftOptions());
        options.setNodeOptions(new NodeOptions());
        return options;
    }

    private static Path state(SnapshotWriter writer) {
        return Path.of(writer.getPath(), SnapshotFile.NAME);
    }
}
