package io.raftlock.server.raft;

import com.alipay.sofa.jraft.util.Endpoint;

import io.raftlock.server.raft.transport.NettyRpcServer;
import io.raftlock.server.raft.transport.PeerFormats;
import io.raftlock.server.raft.transport.PreVoteTies;

import java.io.IOException;
import java.net.BindException;
import java.util.concurrent.Executor;

/** The port at which a node listens to its peers. */
final class RaftPort {
    private RaftPort() {}

    /** Takes the port; nothing that arrives is answered yet. */
    static NettyRpcServer open(
            GroupSettings settings,
            Member self,
            PreVoteTies ties,
            PeerFormats formats,
            Executor workers)
            throws NodeStartException {
        String bindHost = settings.network().bindHost();
        String host = bindHost.isEmpty() ? self.raftHost() : bindHost;
        NettyRpcServer listening =
                NettyRpcServer.forRaft(
                        new Endpoint(host, self.raftPort()),
                        settings.network().security(),
                        ties,
                        formats,
                        workers);
        try {
            listening.bind();
            return listening;
        } catch (BindException taken) {
            throw new NodeStartException(
                    ("the Raft port %s:%d is in use: stop the other process, or give this "
                                    + "node another port in all configurations")
                            .formatted(host, self.raftPort()),
                    taken);
        } catch (IOException failure) {
            throw new NodeStartException(
                    "the Raft port cannot be opened: %s".formatted(failure.getMessage()), failure);
        }
    }
}
