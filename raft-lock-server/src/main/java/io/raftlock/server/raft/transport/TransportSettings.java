package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

/**
 * How one node talks to its peers. {@code self} is the address that the peers know it by, which may
 * differ from the one it binds.
 */
public record TransportSettings(Endpoint self, TransportSecurity security, LinkFaults faults) {
    public static TransportSettings plain(Endpoint self) {
        return new TransportSettings(self, TransportSecurity.PLAIN, LinkFaults.NONE);
    }
}
