package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.option.RpcOptions;
import com.alipay.sofa.jraft.rpc.RaftRpcFactory;
import com.alipay.sofa.jraft.rpc.RpcClient;
import com.alipay.sofa.jraft.rpc.RpcServer;
import com.alipay.sofa.jraft.util.Endpoint;
import com.alipay.sofa.jraft.util.SPI;
import com.alipay.sofa.jraft.util.Utils;

import org.jspecify.annotations.Nullable;

/** Gives JRaft this transport instead of Bolt, by a higher priority; found as a service. */
@SPI(priority = 10)
public final class NettyRaftRpcFactory implements RaftRpcFactory {
    private static final ClientConfig NOBODY =
            new ClientConfig(
                    TransportSettings.plain(new Endpoint(Utils.IP_ANY, 0)),
                    new RpcOptions().getRpcConnectTimeoutMs());

    /** Carries a node's settings from one call of this factory to the next. */
    private record ClientConfig(TransportSettings settings, int connectTimeoutMillis)
            implements ConfigHelper<RpcClient> {
        @Override
        public void config(RpcClient client) {}
    }

    /** The codec knows its message types itself. */
    @Override
    public void registerProtobufSerializer(String className, Object... args) {}

    @Override
    public ConfigHelper<RpcClient> defaultJRaftClientConfigHelper(RpcOptions opts) {
        TransportSettings settings =
                opts instanceof TransportNodeOptions node ? node.transport() : NOBODY.settings();
        return new ClientConfig(settings, opts.getRpcConnectTimeoutMs());
    }

    @Override
    public RpcClient createRpcClient(@Nullable ConfigHelper<RpcClient> helper) {
        ClientConfig config = helper instanceof ClientConfig given ? given : NOBODY;
        NettyRpcClient client =
                new NettyRpcClient(config.settings(), config.connectTimeoutMillis());
        if (helper != null) {
            helper.config(client);
        }
        return client;
    }

    @Override
    public RpcServer createRpcServer(Endpoint endpoint, @Nullable ConfigHelper<RpcServer> helper) {
        NettyRpcServer server = new NettyRpcServer(endpoint, TransportSecurity.PLAIN);
        if (helper != null) {
            helper.config(server);
        }
        return server;
    }

    /**
     * Off whatever RaftOptions say. With the pipeline, append requests would have to go to the
     * engine's own threads, and a reset connection could leave a node deaf for 15 s while these
     * stop.
     */
    @Override
    public boolean isReplicatorPipelineEnabled() {
        return false;
    }
}
