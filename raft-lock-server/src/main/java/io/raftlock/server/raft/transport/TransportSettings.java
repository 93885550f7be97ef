package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

import java.util.List;

/**
 * How one node talks to its peers.
 *
 * @param self the address that the peers know it by, which may differ from the one it binds
 * @param peers to be connected to from the start on and whenever a connection is lost, so that an
 *     election does not begin with connecting; others are connected to when they are needed
 * @param ties shared with the node's server
 * @param formats shared with the node's server
 */
public record TransportSettings(
        Endpoint self,
        List<Endpoint> peers,
        PreVoteTies ties,
        PeerFormats formats,
        TransportSecurity security,
        LinkFaults faults) {
    public TransportSettings {
        peers = List.copyOf(peers);
    }

    public static TransportSettings plain(Endpoint self) {
        return new TransportSettings(
                self,
                List.of(),
                new PreVoteTies(self.toString(), System::nanoTime),
                new PeerFormats(0),
                TransportSecurity.PLAIN,
                LinkFaults.NONE);
    }
}
