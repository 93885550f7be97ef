package io.raftlock.server.raft.transport;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.raftlock.server.wire.Sockets;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/** The end of a pipeline: whatever goes wrong on a connection closes it. */
@ChannelHandler.Sharable
final class CloseOnError extends ChannelInboundHandlerAdapter {
    static final CloseOnError INSTANCE = new CloseOnError();

    private static final Logger LOG = LoggerFactory.getLogger(CloseOnError.class);

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.info("Raft connection {} lost: {}", ctx.channel(), cause.toString());
        } else if (cause instanceof DecoderException) {
            Throwable reason = cause.getCause() == null ? cause : cause.getCause();
            LOG.warn("Raft connection {} refused: {}", ctx.channel(), reason.toString());
        } else {
            LOG.error("Raft connection {} failed", ctx.channel(), cause);
        }
        Sockets.close(ctx.channel());
    }
}
