package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.util.Endpoint;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import io.raftlock.server.wire.Wire;

/**
 * Puts what encrypts and authenticates at the head of a new connection's pipeline; called on its
 * event loop, before any byte has moved.
 *
 * <p>A connect does not wait for what is put there: a handshake needs the peer's process, which may
 * be waiting for us. Frames written meanwhile have to wait inside the handler, and a handshake that
 * fails has to close the connection, which fails the calls on it.
 */
public interface TransportSecurity {
    /**
     * Neither encrypts nor authenticates: for tests, and for networks that only nodes can reach.
     */
    TransportSecurity PLAIN =
            new TransportSecurity() {
                @Override
                public void secureInbound(ChannelPipeline pipeline) {}

                @Override
                public void secureOutbound(ChannelPipeline pipeline, Endpoint peer) {}

                @Override
                public Wire wire(Channel channel) {
                    return Wire.past(channel);
                }
            };

    void secureInbound(ChannelPipeline pipeline);

    void secureOutbound(ChannelPipeline pipeline, Endpoint peer);

    /** The way out of a connection that was secured. */
    default Wire wire(Channel channel) {
        return Wire.through(channel);
    }
}
