package io.raftlock.server.raft;

import com.alipay.sofa.jraft.JRaftServiceFactory;
import com.alipay.sofa.jraft.StateMachine;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.util.Endpoint;

import io.raftlock.server.raft.transport.PeerFormats;
import io.raftlock.server.raft.transport.PreVoteTies;
import io.raftlock.server.raft.transport.TransportNodeOptions;
import io.raftlock.server.raft.transport.TransportSettings;

/** How the engine is set up; what is not said here stays as it ships. */
final class EngineOptions {
    private static final int CONNECT_TIMEOUT_MILLIS = 250;
    private static final int RPC_TIMEOUT_MILLIS = 2_000;
    private static final int APPLY_BATCH = 128;
    private static final int APPEND_BUFFER_BYTES = 1 << 20;
    private static final long LOGS_IN_MEMORY_BYTES = 128L << 20;
    private static final int RING_SIZE = 4_096;
    private static final int READ_LAG = 10_000;
    private static final int RPC_THREADS = 16;

    /** Each wakes threads of nodes that have nothing else to do. */
    private static final int HEARTBEATS_PER_ELECTION_TIMEOUT = 5;

    private EngineOptions() {}

    static NodeOptions of(
            GroupSettings settings,
            Endpoint self,
            PreVoteTies ties,
            PeerFormats formats,
            Configuration members,
            DataDirectory data,
            StateMachine machine,
            JRaftServiceFactory storage) {
        NodeOptions options =
                new TransportNodeOptions(
                        new TransportSettings(
                                self,
                                members.listPeers().stream()
                                        .map(PeerId::getEndpoint)
                                        .filter(peer -> !peer.equals(self))
                                        .toList(),
                                ties,
                                formats,
                                settings.network().security(),
                                settings.network().faults()));
        options.setFsm(machine);
        options.setInitialConf(members);
        options.setServiceFactory(storage);
        options.setLogUri(data.log().toString());
        options.setRaftMetaUri(data.meta().toString());
        options.setSnapshotUri(data.snapshot().toString());
        options.setElectionTimeoutMs(settings.tuning().electionTimeoutMillis());
        options.setSnapshotIntervalSecs(settings.tuning().snapshotIntervalSeconds());
        options.setSnapshotLogIndexMargin(settings.tuning().snapshotMargin());
        options.setDisableCli(true);
        options.setRaftRpcThreadPoolSize(RPC_THREADS);
        // Connecting happens under the lock of the whole node.
        options.setRpcConnectTimeoutMs(CONNECT_TIMEOUT_MILLIS);
        options.setRpcDefaultTimeout(RPC_TIMEOUT_MILLIS);
        shareTimers(options);
        options.setRaftOptions(raftOptions(settings.tuning()));
        return options;
    }

    /** Each timer of its own is a thread more. */
    private static void shareTimers(NodeOptions options) {
        options.setSharedElectionTimer(true);
        options.setSharedVoteTimer(true);
        options.setSharedStepDownTimer(true);
        options.setSharedSnapshotTimer(true);
        options.setSharedTimerPool(true);
    }

    private static RaftOptions raftOptions(Tuning tuning) {
        RaftOptions options = new RaftOptions();
        options.setMaxElectionDelayMs(tuning.electionDelayMillis());
        options.setElectionHeartbeatFactor(HEARTBEATS_PER_ELECTION_TIMEOUT);
        // With it, a reset connection can leave a node deaf for fifteen seconds.
        options.setReplicatorPipeline(false);
        options.setEnableLogEntryChecksum(true);
        options.setSync(true);
        options.setApplyBatch(APPLY_BATCH);
        options.setMaxAppendBufferSize(APPEND_BUFFER_BYTES);
        options.setMaxLogsInMemoryBytes(LOGS_IN_MEMORY_BYTES);
        options.setDisruptorBufferSize(RING_SIZE);
        options.setMaxReadIndexLag(READ_LAG);
        options.setOpenStatistics(false);
        return options;
    }
}
