package io.raftlock.examples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.raftlock.protocol.MessageCodec;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;

/** Asks nodes how they are. */
final class NodeProbe {
    private static final int BOUND_MILLIS = 1_000;

    private final List<String> endpoints;

    NodeProbe(List<String> endpoints) {
        this.endpoints = List.copyOf(endpoints);
    }

    int nodeCount() {
        return endpoints.size();
    }

    /** Returns what those nodes say that answer. */
    List<Response.NodeStatus> statuses() {
        return endpoints.stream().flatMap(each -> status(each).stream()).toList();
    }

    private static Optional<Response.NodeStatus> status(String endpoint) {
        int colon = endpoint.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            InetAddress host = InetAddress.getAllByName(endpoint.substring(0, colon))[0];
            int port = Integer.parseInt(endpoint.substring(colon + 1));
            socket.connect(new InetSocketAddress(host, port), BOUND_MILLIS);
            socket.setSoTimeout(BOUND_MILLIS);
            call(socket, 1, new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION));
            Response answer = call(socket, 2, new Request.Status());
            return answer instanceof Response.NodeStatus status
                    ? Optional.of(status)
                    : Optional.empty();
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    private static Response call(Socket socket, long callId, Request request) throws IOException {
        ByteBuf frame = Unpooled.buffer();
        MessageCodec.encode(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, callId, request), frame);
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeInt(frame.readableBytes());
        out.write(ByteBufUtil.getBytes(frame));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        in.readFully(answer);
        return MessageCodec.decodeResponse(Unpooled.wrappedBuffer(answer)).response();
    }
}
