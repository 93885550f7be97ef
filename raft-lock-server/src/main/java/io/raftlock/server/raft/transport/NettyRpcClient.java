package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.ReplicatorGroup;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.InvokeTimeoutException;
import com.alipay.sofa.jraft.error.RemotingException;
import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.InvokeCallback;
import com.alipay.sofa.jraft.rpc.InvokeContext;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcRequests.ErrorResponse;
import com.alipay.sofa.jraft.rpc.RpcRequests.PingRequest;
import com.alipay.sofa.jraft.rpc.RpcRequests.RequestVoteRequest;
import com.alipay.sofa.jraft.rpc.RpcUtils;
import com.alipay.sofa.jraft.util.Endpoint;
import com.google.protobuf.Empty;
import com.google.protobuf.Int32Value;
import com.google.protobuf.Message;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.raftlock.server.wire.Sockets;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A node's calls to its peers. */
final class NettyRpcClient implements RpcClient {
    private static final Logger LOG = LoggerFactory.getLogger(NettyRpcClient.class);

    /**
     * A peer keeps its event loop for good, and has it alone as long as a node meets no more peers
     * than this in its life; see the package's rules.
     */
    private static final int LOOPS = 16;

    private static final long RECONNECT_MILLIS = 300;

    /**
     * How long the engine may wait, with its write lock held, for a peer that is being connected to
     * all the time: if it is not there after that, it is down.
     */
    private static final long KEPT_PEER_WAIT_MILLIS = 50;

    private static final ErrorResponse CONNECTED =
            ErrorResponse.newBuilder().setErrorCode(0).setErrorMsg("OK").build();

    private final TransportSettings settings;
    private final EventLoopGroup loops = Sockets.loops(LOOPS, "raft-out");
    private final Bootstrap options;
    private final ConcurrentMap<Endpoint, PeerLink> peers = new ConcurrentHashMap<>();
    private final List<ReplicatorGroup> listeners = new CopyOnWriteArrayList<>();
    private final Future<?> reconnecting;
    private volatile boolean closed;

    NettyRpcClient(TransportSettings settings, int connectTimeoutMillis) {
        this.settings = settings;
        this.options =
                Sockets.client().option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMillis);
        this.reconnecting =
                GlobalEventExecutor.INSTANCE.scheduleWithFixedDelay(
                        this::connectPeers, 0, RECONNECT_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void connectPeers() {
        settings.peers().stream()
                .filter(peer -> !closed)
                .forEach(
                        peer -> {
                            peer(peer).startConnecting();
                            askForFormat(peer);
                        });
    }

    private void askForFormat(Endpoint peer) {
        PeerLink link = peer(peer);
        if (settings.formats().isKnown(peer) || !link.isReady()) {
            return;
        }
        InvokeCallback told =
                (answer, failure) -> {
                    if (answer instanceof Int32Value format) {
                        settings.formats().tell(peer, format.getValue());
                    }
                };
        try {
            link.call(Empty.getDefaultInstance(), told, RECONNECT_MILLIS);
        } catch (RemotingException notNow) {
            LOG.debug("{} was not asked for its format", peer, notNow);
        }
    }

    @Override
    public boolean init(RpcOptions opts) {
        return true;
    }

    /** Calls that wait for answers fail. */
    @Override
    public void shutdown() {
        closed = true;
        reconnecting.cancel(false);
        peers.values().forEach(PeerLink::close);
        Future<?> unused = Sockets.stop(loops);
    }

    @Override
    public boolean checkConnection(Endpoint endpoint) {
        return checkConnection(endpoint, false);
    }

    @Override
    public boolean checkConnection(Endpoint endpoint, boolean createIfAbsent) {
        if (closed) {
            return false;
        }
        PeerLink peer = peer(endpoint);
        boolean ready = peer.isReady();
        if (!ready && createIfAbsent) {
            peer.startConnecting();
        }
        return ready;
    }

    @Override
    public void closeConnection(Endpoint endpoint) {
        PeerLink peer = peers.get(endpoint);
        if (peer != null) {
            peer.close();
        }
    }

    @Override
    public void registerConnectEventListener(ReplicatorGroup replicatorGroup) {
        listeners.add(replicatorGroup);
    }

    /** A ping is how the engine connects: it gets its answer when the connection stands. */
    @Override
    public Object invokeSync(
            Endpoint endpoint, Object request, @Nullable InvokeContext ctx, long timeoutMillis)
            throws InterruptedException, RemotingException {
        checkOpen();
        PeerLink peer = peer(endpoint);
        if (request instanceof PingRequest) {
            peer.awaitConnected(
                    settings.peers().contains(endpoint)
                            ? Math.min(timeoutMillis, KEPT_PEER_WAIT_MILLIS)
                            : timeoutMillis);
            return CONNECTED;
        }
        if (peer.loop().inEventLoop()) {
            throw new RemotingException("the event loop of " + endpoint + " cannot await it");
        }
        return await(peer, (Message) request, timeoutMillis);
    }

    private static Object await(PeerLink peer, Message request, long timeoutMillis)
            throws InterruptedException, RemotingException {
        CompletableFuture<Object> answer = new CompletableFuture<>();
        InvokeCallback callback =
                (result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                };
        peer.call(request, callback, timeoutMillis);
        try {
            return answer.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new InvokeTimeoutException("no answer in " + timeoutMillis + " ms", e);
        } catch (ExecutionException e) {
            throw new RemotingException(e.getCause());
        }
    }

    @Override
    public void invokeAsync(
            Endpoint endpoint,
            Object request,
            @Nullable InvokeContext ctx,
            InvokeCallback callback,
            long timeoutMillis)
            throws RemotingException {
        checkOpen();
        if (request instanceof RequestVoteRequest vote
                && vote.getPreVote()
                && !settings.ties().mayAsk(vote)) {
            throw new RemotingException("another node stands for election at this moment");
        }
        peer(endpoint).call((Message) request, callback, timeoutMillis);
    }

    PeerLink peer(Endpoint endpoint) {
        return peers.computeIfAbsent(endpoint, this::newPeer);
    }

    private PeerLink newPeer(Endpoint endpoint) {
        return new PeerLink(
                new Link(settings.self(), endpoint, settings.faults()),
                loops.next(),
                options,
                settings.security(),
                () -> announce(endpoint));
    }

    /**
     * Lets the engine start the replicator that awaits this peer, on another thread since it takes
     * the write lock. If that is refused, the engine's timer finds the peer a little later.
     */
    private void announce(Endpoint endpoint) {
        LOG.info("Connected to peer {}", endpoint);
        settings.formats().forget(endpoint);
        PeerId peer = new PeerId(endpoint, 0);
        try {
            Future<?> unused =
                    RpcUtils.runInThread(
                            () -> listeners.forEach(l -> l.checkReplicator(peer, true)));
        } catch (RejectedExecutionException e) {
            LOG.warn("No thread to start the replicator of {}", endpoint);
        }
    }

    private void checkOpen() throws RemotingException {
        if (closed) {
            throw new RemotingException("the client is closed");
        }
    }
}
