package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.AppendEntriesResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.GetFileResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.InstallSnapshotResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.ReadIndexResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.TimeoutNowResponse;
import com.google.protobuf.Empty;
import com.google.protobuf.Int32Value;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The messages that may cross between nodes, and no others: membership (CLI) requests have no code,
 * so nobody who reaches the port can change a cluster with them.
 *
 * <p>The code of an answer is that of its request plus one. A code is never reused.
 */
public enum RaftMessage {
    APPEND_ENTRIES_REQUEST(1, Direction.REQUEST, AppendEntriesRequest.getDefaultInstance()),
    APPEND_ENTRIES_RESPONSE(2, Direction.RESPONSE, AppendEntriesResponse.getDefaultInstance()),
    REQUEST_VOTE_REQUEST(3, Direction.REQUEST, RequestVoteRequest.getDefaultInstance()),
    REQUEST_VOTE_RESPONSE(4, Direction.RESPONSE, RequestVoteResponse.getDefaultInstance()),
    GET_FILE_REQUEST(5, Direction.REQUEST, GetFileRequest.getDefaultInstance()),
    GET_FILE_RESPONSE(6, Direction.RESPONSE, GetFileResponse.getDefaultInstance()),
    INSTALL_SNAPSHOT_REQUEST(7, Direction.REQUEST, InstallSnapshotRequest.getDefaultInstance()),
    INSTALL_SNAPSHOT_RESPONSE(8, Direction.RESPONSE, InstallSnapshotResponse.getDefaultInstance()),
    PING_REQUEST(9, Direction.REQUEST, PingRequest.getDefaultInstance()),
    /** Answers a ping, and any request that failed. */
    ERROR_RESPONSE(10, Direction.RESPONSE, ErrorResponse.getDefaultInstance()),
    TIMEOUT_NOW_REQUEST(11, Direction.REQUEST, TimeoutNowRequest.getDefaultInstance()),
    TIMEOUT_NOW_RESPONSE(12, Direction.RESPONSE, TimeoutNowResponse.getDefaultInstance()),
    READ_INDEX_REQUEST(13, Direction.REQUEST, ReadIndexRequest.getDefaultInstance()),
    READ_INDEX_RESPONSE(14, Direction.RESPONSE, ReadIndexResponse.getDefaultInstance()),
    /** Asks a node for the newest format of entries and snapshots that it reads. */
    FORMAT_REQUEST(15, Direction.REQUEST, Empty.getDefaultInstance()),
    FORMAT_RESPONSE(16, Direction.RESPONSE, Int32Value.getDefaultInstance());

    /** Which way a message goes on its connection; the byte is on the wire. */
    enum Direction {
        REQUEST(0),
        RESPONSE(1);

        private final int code;

        Direction(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    private static final Map<Integer, RaftMessage> BY_CODE = index(RaftMessage::code);
    private static final Map<Class<?>, RaftMessage> BY_CLASS = index(m -> m.prototype.getClass());
    private static final Map<String, RaftMessage> BY_CLASS_NAME =
            index(m -> m.prototype.getClass().getName());

    private final int code;
    private final Direction direction;

    // Generated messages are immutable; the interface that Error Prone sees does not say so.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Message prototype;

    RaftMessage(int code, Direction direction, Message prototype) {
        this.code = code;
        this.direction = direction;
        this.prototype = prototype;
    }

    static @Nullable RaftMessage ofCode(int code) {
        return BY_CODE.get(code);
    }

    static @Nullable RaftMessage ofClassName(String className) {
        return BY_CLASS_NAME.get(className);
    }

    static RaftMessage of(Object message) {
        RaftMessage type = BY_CLASS.get(message.getClass());
        if (type == null) {
            throw new IllegalArgumentException(message.getClass().getName() + " may not be sent");
        }
        return type;
    }

    int code() {
        return code;
    }

    Direction direction() {
        return direction;
    }

    boolean answers(RaftMessage request) {
        return this == ERROR_RESPONSE || code == request.code + 1;
    }

    /**
     * Copies the bytes of the body: log entries outlive the buffer, which goes back to its pool, so
     * it may not be aliased.
     */
    Message parse(ByteBuffer body) throws InvalidProtocolBufferException {
        return prototype.getParserForType().parseFrom(body);
    }

    private static <K> Map<K, RaftMessage> index(Function<RaftMessage, K> key) {
        return Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(key, m -> m));
    }
}
