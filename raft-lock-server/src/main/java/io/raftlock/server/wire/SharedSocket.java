package io.raftlock.server.wire;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * A channel whose socket a {@link Wire} may use on another thread than the channel's own. Java's
 * sockets can be written and closed by several threads at once; the descriptors of Netty's native
 * channels cannot, since the number of one that was closed can be another file's by then.
 */
final class SharedSocket extends NioSocketChannel {
    SharedSocket() {}

    private SharedSocket(Channel parent, SocketChannel socket) {
        super(parent, socket);
    }

    SocketChannel socket() {
        return javaChannel();
    }

    /** Accepts such channels. */
    static final class Server extends NioServerSocketChannel {
        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            SocketChannel socket = javaChannel().accept();
            if (socket == null) {
                return 0;
            }
            accepted.add(new SharedSocket(this, socket));
            return 1;
        }
    }
}
