package io.raftlock.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.ResponseFrame;
import io.raftlock.server.wire.Sockets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.atomic.AtomicInteger;

@Timeout(30)
class OutboxTest {
    /** An answer can come from a thread that the node stops after its port. */
    @Test
    void anAnswerThatComesWhenThePortHasStoppedHarmsNobody() throws Exception {
        EventLoopGroup loops = Sockets.loops(1, "outbox-test");
        NioSocketChannel channel = new NioSocketChannel();
        loops.register(channel).sync();
        AtomicInteger answered = new AtomicInteger();
        Outbox outbox = new Outbox(channel, answered::incrementAndGet);
        Sockets.stop(loops).sync();
        assertThat(channel.isOpen()).isFalse();

        outbox.add(new ResponseFrame(1, new Response.Released()));
        assertThatCode(outbox::flush).doesNotThrowAnyException();
        assertThatCode(outbox::flush).doesNotThrowAnyException();
        assertThat(answered).hasValue(0);
    }
}
