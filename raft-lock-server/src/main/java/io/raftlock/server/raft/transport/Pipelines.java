package io.raftlock.server.raft.transport;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;

/** The handlers that both sides of a connection share, behind what secures it. */
final class Pipelines {
    private Pipelines() {}

    static void addFraming(
            ChannelPipeline pipeline, RaftMessage.Direction accepted, ChannelHandler connection) {
        pipeline.addLast(new FrameDecoder(accepted));
        pipeline.addLast(connection);
        pipeline.addLast(CloseOnError.INSTANCE);
    }
}
