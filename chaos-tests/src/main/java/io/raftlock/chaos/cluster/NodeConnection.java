package io.raftlock.chaos.cluster;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.raftlock.protocol.MessageCodec;
import io.raftlock.protocol.ProtocolLimits;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/**
 * A plain connection to one node that sends a request and blocks for its answer. It follows no
 * leader, retries nothing and renews nothing, so tests can send exactly what they mean to. Not for
 * use by several threads at once.
 */
public final class NodeConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private long lastCallId;

    private NodeConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    /**
     * Connects to a node on 127.0.0.1 and agrees on the version.
     *
     * @param bound on the connecting and on each answer
     */
    public static NodeConnection open(int port, Duration bound) throws IOException {
        return open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), bound);
    }

    /**
     * Connects and agrees on the version.
     *
     * @param host name or address of the node
     * @param bound on the connecting and on each answer
     */
    public static NodeConnection open(String host, int port, Duration bound) throws IOException {
        return open(new InetSocketAddress(host, port), bound);
    }

    private static NodeConnection open(InetSocketAddress address, Duration bound)
            throws IOException {
        Socket socket = new Socket();
        try {
            int millis = Math.toIntExact(bound.toMillis());
            socket.connect(address, millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            NodeConnection connection = new NodeConnection(socket);
            connection.call(new Request.Hello(ProtocolLimits.VERSION, ProtocolLimits.VERSION));
            return connection;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends the request and returns its answer; pushes that come before it are dropped. */
    public Response call(Request request) throws IOException {
        lastCallId++;
        send(new RequestFrame(ProtocolLimits.DEFAULT_GROUP, lastCallId, request));
        while (true) {
            ResponseFrame frame = receive();
            if (frame.callId() == lastCallId) {
                return frame.response();
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void send(RequestFrame frame) throws IOException {
        ByteBuf bytes = Unpooled.buffer();
        MessageCodec.encode(frame, bytes);
        byte[] body = ByteBufUtil.getBytes(bytes);
        out.writeInt(body.length);
        out.write(body);
        out.flush();
    }

    private ResponseFrame receive() throws IOException {
        byte[] body = new byte[in.readInt()];
        in.readFully(body);
        return MessageCodec.decodeResponse(Unpooled.wrappedBuffer(body));
    }
}
