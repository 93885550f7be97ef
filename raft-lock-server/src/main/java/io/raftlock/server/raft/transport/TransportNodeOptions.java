package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.option.NodeOptions;

/**
 * Node options that carry the transport's settings: JRaft makes one factory for the whole JVM and
 * gives it nothing but a node's options, so this is how a client learns whose it is.
 */
public final class TransportNodeOptions extends NodeOptions {
    private final TransportSettings transport;

    public TransportNodeOptions(TransportSettings transport) {
        this.transport = transport;
    }

    TransportSettings transport() {
        return transport;
    }
}
