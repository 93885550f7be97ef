package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.JRaftUtils;
import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.RaftGroupService;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** One node of a cluster in this JVM, on the transport under test. */
final class TestNode {
    final PeerId id;
    final ListStateMachine machine = new ListStateMachine();
    final NettyRpcServer server;
    final Node node;
    private final RaftGroupService service;
    private final ExecutorService executor;

    TestNode(String group, PeerId id, Configuration initial, Path dir, LinkFaults faults)
            throws IOException {
        this.id = id;
        this.executor = (ExecutorService) JRaftUtils.createExecutor("raft-rpc-" + id + "-", 16);
        TransportSettings settings =
                new TransportSettings(
                        id.getEndpoint(),
                        List.of(),
                        new PreVoteTies(id.toString(), System::nanoTime),
                        new PeerFormats(2),
                        TransportSecurity.PLAIN,
                        faults);
        this.server =
                NettyRpcServer.forRaft(
                        id.getEndpoint(),
                        settings.security(),
                        settings.ties(),
                        settings.formats(),
                        executor);
        server.bind();
        this.service = new RaftGroupService(group, id, options(settings, initial, dir), server);
        this.node = service.start();
    }

    private NodeOptions options(TransportSettings settings, Configuration initial, Path dir)
            throws IOException {
        Files.createDirectories(dir);
        NodeOptions options = new TransportNodeOptions(settings);
        options.setElectionTimeoutMs(500);
        options.setInitialConf(initial);
        options.setFsm(machine);
        options.setLogUri(dir.resolve("log").toString());
        options.setRaftMetaUri(dir.resolve("meta").toString());
        options.setSnapshotUri(dir.resolve("snapshot").toString());
        options.setSnapshotIntervalSecs(3_600);
        options.setDisableCli(true);
        options.setSharedElectionTimer(true);
        options.setSharedVoteTimer(true);
        options.setSharedStepDownTimer(true);
        options.setSharedSnapshotTimer(true);
        options.setSharedTimerPool(true);
        options.setRpcConnectTimeoutMs(200);
        options.setRpcDefaultTimeout(2_000);
        options.setRaftOptions(raftOptions());
        return options;
    }

    private static RaftOptions raftOptions() {
        RaftOptions options = new RaftOptions();
        options.setMaxElectionDelayMs(200);
        options.setApplyBatch(128);
        options.setMaxAppendBufferSize(1 << 20);
        options.setOpenStatistics(false);
        options.setEnableLogEntryChecksum(true);
        options.setMaxLogsInMemoryBytes(128 << 20);
        options.setDisruptorBufferSize(4_096);
        options.setReplicatorPipeline(false);
        options.setMaxReadIndexLag(10_000);
        return options;
    }

    boolean leads() {
        return node.isLeader();
    }

    void stop() throws InterruptedException {
        service.shutdown();
        service.join();
        executor.shutdown();
    }
}
