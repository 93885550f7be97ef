package io.raftlock.protocol;

import static io.raftlock.protocol.ProtocolLimits.MAX_METADATA_BYTES;
import static io.raftlock.protocol.ProtocolLimits.MAX_NAME_BYTES;

import io.netty.buffer.ByteBuf;

/**
 * Frames as bytes, without the length field in front. Golden files in the tests pin each encoding.
 * Decoding takes any bytes: they are a frame, or it throws {@link ProtocolException}.
 */
public final class MessageCodec {
    /** In front of the first frame, so that a stranger on the port is told apart at once. */
    private static final int MAGIC = 0x52464C4B;

    private MessageCodec() {}

    public static void encode(RequestFrame frame, ByteBuf out) {
        Request request = frame.request();
        out.writeByte(request.kind().code());
        out.writeShort(frame.group());
        out.writeLong(frame.callId());
        switch (request.kind()) {
            case HELLO -> write(out, (Request.Hello) request);
            case OPEN_SESSION -> write(out, (Request.OpenSession) request);
            case ATTACH -> write(out, (Request.Attach) request);
            case CLOSE_SESSION -> write(out, (Request.CloseSession) request);
            case KEEP_ALIVE -> write(out, (Request.KeepAlive) request);
            case ACQUIRE -> write(out, (Request.Acquire) request);
            case CANCEL_ACQUIRE -> write(out, (Request.CancelAcquire) request);
            case RELEASE -> write(out, (Request.Release) request);
            case STATUS -> {}
        }
    }

    /**
     * Reads one request.
     *
     * @throws ProtocolException if the bytes are no request
     */
    public static RequestFrame decodeRequest(ByteBuf in) {
        try {
            Request.Kind kind = Request.Kind.of(in.readUnsignedByte());
            int group = in.readUnsignedShort();
            long callId = in.readLong();
            RequestFrame frame = new RequestFrame(group, callId, readRequest(kind, in));
            requireEnd(in);
            return frame;
        } catch (IndexOutOfBoundsException tooShort) {
            throw new ProtocolException("request ends early", tooShort);
        }
    }

    public static void encode(ResponseFrame frame, ByteBuf out) {
        Response response = frame.response();
        out.writeByte(response.kind().code());
        out.writeLong(frame.callId());
        switch (response.kind()) {
            case WELCOME -> write(out, (Response.Welcome) response);
            case SESSION_OPENED -> write(out, (Response.SessionOpened) response);
            case ATTACHED -> out.writeLong(((Response.Attached) response).session().value());
            case KEPT_ALIVE -> write(out, (Response.KeptAlive) response);
            case GRANTED -> write(out, (Response.Granted) response);
            case QUEUED -> out.writeInt(((Response.Queued) response).position());
            case REFUSED -> write(out, (Response.Refused) response);
            case NOT_LEADER ->
                    Wire.writeText(
                            out,
                            ((Response.NotLeader) response).leaderAddress(),
                            MAX_METADATA_BYTES);
            case UNKNOWN ->
                    Wire.writeText(
                            out, ((Response.Unknown) response).message(), MAX_METADATA_BYTES);
            case SESSION_ENDED -> write(out, (Response.SessionEnded) response);
            case HOLD_ENDED -> write(out, (Response.HoldEnded) response);
            case NODE_STATUS -> write(out, (Response.NodeStatus) response);
            case SESSION_CLOSED, CANCELLED, RELEASED -> {}
        }
    }

    /**
     * Reads one response.
     *
     * @throws ProtocolException if the bytes are no response
     */
    public static ResponseFrame decodeResponse(ByteBuf in) {
        try {
            Response.Kind kind = Response.Kind.of(in.readUnsignedByte());
            long callId = in.readLong();
            ResponseFrame frame = new ResponseFrame(callId, readResponse(kind, in));
            requireEnd(in);
            return frame;
        } catch (IndexOutOfBoundsException tooShort) {
            throw new ProtocolException("response ends early", tooShort);
        }
    }

    private static void requireEnd(ByteBuf in) {
        if (in.isReadable()) {
            throw new ProtocolException(in.readableBytes() + " bytes after the message");
        }
    }

    private static Request readRequest(Request.Kind kind, ByteBuf in) {
        return switch (kind) {
            case HELLO -> readHello(in);
            case OPEN_SESSION ->
                    new Request.OpenSession(readSecret(in), in.readLong(), readMetadata(in));
            case ATTACH -> new Request.Attach(readSession(in), readSecret(in));
            case CLOSE_SESSION -> new Request.CloseSession(readSession(in), readSecret(in));
            case KEEP_ALIVE ->
                    new Request.KeepAlive(
                            readSession(in), Wire.readList(in, Long.BYTES, ByteBuf::readLong));
            case ACQUIRE -> readAcquire(in);
            case CANCEL_ACQUIRE ->
                    new Request.CancelAcquire(
                            readSession(in), in.readLong(), in.readLong(), in.readLong());
            case RELEASE ->
                    new Request.Release(
                            readSession(in),
                            in.readLong(),
                            in.readLong(),
                            Wire.readName(in),
                            in.readLong(),
                            in.readLong());
            case STATUS -> new Request.Status();
        };
    }

    private static Response readResponse(Response.Kind kind, ByteBuf in) {
        return switch (kind) {
            case WELCOME ->
                    new Response.Welcome(
                            in.readUnsignedShort(), Wire.readText(in, MAX_METADATA_BYTES));
            case SESSION_OPENED -> new Response.SessionOpened(readSession(in), in.readLong());
            case ATTACHED -> new Response.Attached(readSession(in));
            case SESSION_CLOSED -> new Response.SessionClosed();
            case KEPT_ALIVE ->
                    new Response.KeptAlive(
                            in.readLong(),
                            Wire.readList(in, 3 * Long.BYTES, MessageCodec::readGrant),
                            Wire.readList(in, Long.BYTES, ByteBuf::readLong));
            case GRANTED -> new Response.Granted(readGrant(in), in.readLong());
            case QUEUED -> new Response.Queued(in.readInt());
            case CANCELLED -> new Response.Cancelled();
            case RELEASED -> new Response.Released();
            case REFUSED ->
                    new Response.Refused(
                            ErrorCode.of(in.readUnsignedByte()),
                            Wire.readText(in, MAX_METADATA_BYTES));
            case NOT_LEADER -> new Response.NotLeader(Wire.readText(in, MAX_METADATA_BYTES));
            case UNKNOWN -> new Response.Unknown(Wire.readText(in, MAX_METADATA_BYTES));
            case SESSION_ENDED ->
                    new Response.SessionEnded(readSession(in), EndReason.of(in.readUnsignedByte()));
            case HOLD_ENDED ->
                    new Response.HoldEnded(
                            in.readLong(), in.readLong(), EndReason.of(in.readUnsignedByte()));
            case NODE_STATUS -> readNodeStatus(in);
        };
    }

    private static void write(ByteBuf out, Request.Hello hello) {
        out.writeInt(MAGIC);
        out.writeShort(hello.minVersion());
        out.writeShort(hello.maxVersion());
    }

    private static Request.Hello readHello(ByteBuf in) {
        if (in.readInt() != MAGIC) {
            throw new ProtocolException("the peer does not speak the lock protocol");
        }
        return new Request.Hello(in.readUnsignedShort(), in.readUnsignedShort());
    }

    private static void write(ByteBuf out, Request.OpenSession open) {
        write(out, open.secret());
        out.writeLong(open.ttlMillis());
        Wire.writeText(out, open.metadata().name(), MAX_METADATA_BYTES);
        Wire.writeText(out, open.metadata().host(), MAX_METADATA_BYTES);
        out.writeLong(open.metadata().pid());
    }

    private static ClientMetadata readMetadata(ByteBuf in) {
        return new ClientMetadata(
                Wire.readText(in, MAX_METADATA_BYTES),
                Wire.readText(in, MAX_METADATA_BYTES),
                in.readLong());
    }

    private static void write(ByteBuf out, Request.Attach attach) {
        out.writeLong(attach.session().value());
        write(out, attach.secret());
    }

    private static void write(ByteBuf out, Request.CloseSession close) {
        out.writeLong(close.session().value());
        write(out, close.secret());
    }

    private static void write(ByteBuf out, Request.KeepAlive keepAlive) {
        out.writeLong(keepAlive.session().value());
        Wire.writeLongs(out, keepAlive.pending());
    }

    private static void write(ByteBuf out, Request.Acquire acquire) {
        out.writeLong(acquire.session().value());
        out.writeLong(acquire.number());
        out.writeLong(acquire.answeredUpTo());
        Wire.writeText(out, acquire.name().value(), MAX_NAME_BYTES);
        out.writeLong(acquire.owner());
        out.writeBoolean(acquire.queue());
        out.writeLong(acquire.maxHoldMillis());
        Wire.writeText(out, acquire.metadata(), MAX_METADATA_BYTES);
    }

    private static Request.Acquire readAcquire(ByteBuf in) {
        return new Request.Acquire(
                readSession(in),
                in.readLong(),
                in.readLong(),
                Wire.readName(in),
                in.readLong(),
                in.readBoolean(),
                in.readLong(),
                Wire.readText(in, MAX_METADATA_BYTES));
    }

    private static void write(ByteBuf out, Request.CancelAcquire cancel) {
        out.writeLong(cancel.session().value());
        out.writeLong(cancel.number());
        out.writeLong(cancel.answeredUpTo());
        out.writeLong(cancel.acquireNumber());
    }

    private static void write(ByteBuf out, Request.Release release) {
        out.writeLong(release.session().value());
        out.writeLong(release.number());
        out.writeLong(release.answeredUpTo());
        Wire.writeText(out, release.name().value(), MAX_NAME_BYTES);
        out.writeLong(release.owner());
        out.writeLong(release.token());
    }

    private static void write(ByteBuf out, SessionSecret secret) {
        out.writeLong(secret.high());
        out.writeLong(secret.low());
    }

    private static SessionSecret readSecret(ByteBuf in) {
        return new SessionSecret(in.readLong(), in.readLong());
    }

    private static SessionId readSession(ByteBuf in) {
        return new SessionId(in.readLong());
    }

    private static void write(ByteBuf out, Response.Welcome welcome) {
        out.writeShort(welcome.version());
        Wire.writeText(out, welcome.nodeId(), MAX_METADATA_BYTES);
    }

    private static void write(ByteBuf out, Response.SessionOpened opened) {
        out.writeLong(opened.session().value());
        out.writeLong(opened.ttlMillis());
    }

    private static void write(ByteBuf out, Response.KeptAlive kept) {
        out.writeLong(kept.clockMillis());
        Wire.writeCount(out, kept.grants().size());
        kept.grants().forEach(grant -> write(out, grant));
        Wire.writeLongs(out, kept.gone());
    }

    private static void write(ByteBuf out, Response.Granted granted) {
        write(out, granted.grant());
        out.writeLong(granted.clockMillis());
    }

    private static void write(ByteBuf out, Response.Grant grant) {
        out.writeLong(grant.number());
        out.writeLong(grant.token());
        out.writeLong(grant.deadlineMillis());
    }

    private static Response.Grant readGrant(ByteBuf in) {
        return new Response.Grant(in.readLong(), in.readLong(), in.readLong());
    }

    private static void write(ByteBuf out, Response.Refused refused) {
        out.writeByte(refused.code().code());
        Wire.writeText(out, refused.message(), MAX_METADATA_BYTES);
    }

    private static void write(ByteBuf out, Response.SessionEnded ended) {
        out.writeLong(ended.session().value());
        out.writeByte(ended.reason().code());
    }

    private static void write(ByteBuf out, Response.HoldEnded ended) {
        out.writeLong(ended.number());
        out.writeLong(ended.token());
        out.writeByte(ended.reason().code());
    }

    private static void write(ByteBuf out, Response.NodeStatus status) {
        Wire.writeText(out, status.nodeId(), MAX_METADATA_BYTES);
        Wire.writeText(out, status.role(), MAX_METADATA_BYTES);
        out.writeLong(status.term());
        Wire.writeText(out, status.leaderId(), MAX_METADATA_BYTES);
        out.writeLong(status.appliedIndex());
        Wire.writeText(out, status.digest(), MAX_METADATA_BYTES);
        out.writeInt(status.sessions());
        out.writeInt(status.holds());
        out.writeInt(status.waiters());
    }

    private static Response.NodeStatus readNodeStatus(ByteBuf in) {
        return new Response.NodeStatus(
                Wire.readText(in, MAX_METADATA_BYTES),
                Wire.readText(in, MAX_METADATA_BYTES),
                in.readLong(),
                Wire.readText(in, MAX_METADATA_BYTES),
                in.readLong(),
                Wire.readText(in, MAX_METADATA_BYTES),
                in.readInt(),
                in.readInt(),
                in.readInt());
    }
}
