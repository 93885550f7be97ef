package io.raftlock.server.admin;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;

import java.nio.charset.StandardCharsets;

/** Answers the requests of one HTTP connection. */
final class AdminConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final AdminPages pages;

    AdminConnection(AdminPages pages) {
        this.pages = pages;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
        FullHttpResponse response = answer(request);
        boolean keepAlive = HttpUtil.isKeepAlive(request);
        HttpUtil.setKeepAlive(response, keepAlive);
        ChannelFuture written = ctx.writeAndFlush(response);
        if (!keepAlive) {
            written.addListener(ChannelFutureListener.CLOSE);
        }
    }

    private FullHttpResponse answer(FullHttpRequest request) {
        if (!request.decoderResult().isSuccess()) {
            return text(HttpResponseStatus.BAD_REQUEST, "not an HTTP request");
        }
        if (!request.method().equals(HttpMethod.GET)) {
            return text(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET is served here");
        }
        String path = new QueryStringDecoder(request.uri()).path();
        if (path.equals("/metrics")) {
            return text(HttpResponseStatus.OK, pages.metrics());
        }
        if (path.equals("/health")) {
            AdminPages.Health health = pages.health();
            return text(
                    health.isServing()
                            ? HttpResponseStatus.OK
                            : HttpResponseStatus.SERVICE_UNAVAILABLE,
                    health.text());
        }
        return text(
                HttpResponseStatus.NOT_FOUND,
                "there is nothing at " + path + ": see /health and /metrics");
    }

    private static FullHttpResponse text(HttpResponseStatus status, String text) {
        String body = text.endsWith("\n") ? text : text + "\n";
        FullHttpResponse response =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1,
                        status,
                        Unpooled.copiedBuffer(body, StandardCharsets.UTF_8));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, TEXT);
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        return response;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
