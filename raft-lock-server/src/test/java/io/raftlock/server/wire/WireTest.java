package io.raftlock.server.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.embedded.EmbeddedChannel;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class WireTest {
    private static final int SENDERS = 4;
    private static final int FRAMES = 2_000;
    private static final int FILLING = 3_000;

    private final EventLoopGroup loops = Sockets.loops(1, "wire-test");
    private final BlockingQueue<Channel> accepted = new ArrayBlockingQueue<>(1);
    private final AtomicInteger gone = new AtomicInteger();
    private Socket reader;
    private Channel channel;
    private Wire wire;

    @BeforeEach
    void connect() throws Exception {
        Channel listening =
                Sockets.server()
                        .group(loops)
                        .childHandler(
                                new ChannelInitializer<Channel>() {
                                    @Override
                                    protected void initChannel(Channel child) {
                                        child.pipeline()
                                                .addLast(new ChannelInboundHandlerAdapter());
                                        accepted.add(child);
                                    }
                                })
                        .bind("127.0.0.1", 0)
                        .sync()
                        .channel();
        int port = ((InetSocketAddress) listening.localAddress()).getPort();
        reader = new Socket(InetAddress.getByName("127.0.0.1"), port);
        reader.setSoTimeout(10_000);
        channel = accepted.poll(5, TimeUnit.SECONDS);
        wire = Wire.past(channel);
    }

    @AfterEach
    void stop() throws Exception {
        reader.close();
        Sockets.stop(loops).sync();
    }

    private static ByteBuf frame(int sender, int number) {
        ByteBuf frame = PooledByteBufAllocator.DEFAULT.directBuffer();
        int filling = number * 7 % FILLING;
        frame.writeInt(sender).writeInt(number).writeInt(filling);
        for (int at = 0; at < filling; at++) {
            frame.writeByte(sender + number + at);
        }
        return frame;
    }

    private static void assertFilled(DataInputStream in, int sender, int number) throws Exception {
        byte[] filling = in.readNBytes(in.readInt());
        for (int at = 0; at < filling.length; at++) {
            assertThat(filling[at]).isEqualTo((byte) (sender + number + at));
        }
    }

    private Thread sender(int sender) {
        Thread thread =
                new Thread(
                        () -> {
                            for (int number = 0; number < FRAMES; number++) {
                                wire.send(frame(sender, number), gone::incrementAndGet);
                            }
                        });
        thread.start();
        return thread;
    }

    @Test
    void framesOfManyThreadsStayWholeAndInOrderThoughTheReaderIsSlow() throws Exception {
        List<Thread> senders = new ArrayList<>();
        for (int sender = 0; sender < SENDERS; sender++) {
            senders.add(sender(sender));
        }
        awaitWaiting();
        DataInputStream in = new DataInputStream(reader.getInputStream());
        int[] next = new int[SENDERS];
        for (int read = 0; read < SENDERS * FRAMES; read++) {
            int sender = in.readInt();
            assertThat(in.readInt()).isEqualTo(next[sender]++);
            assertFilled(in, sender, next[sender] - 1);
        }
        for (Thread sender : senders) {
            sender.join(5_000);
        }
        awaitGone(SENDERS * FRAMES);
        assertThat(wire.waitingBytes()).isZero();
        wire.send(frame(9, 9), gone::incrementAndGet);
        assertThat(gone).as("written by this thread again").hasValue(SENDERS * FRAMES + 1);
        assertThat(in.readInt()).isEqualTo(9);
    }

    /** The reader takes nothing: what the socket does not hold has to wait. */
    private void awaitWaiting() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (wire.waitingBytes() == 0) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.sleep(1);
        }
    }

    private void awaitGone(int count) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (gone.get() < count) {
            assertThat(System.nanoTime() - deadline).isNegative();
            Thread.sleep(1);
        }
    }

    @Test
    void whatIsSentToAConnectionThatIsOverIsReleased() throws Exception {
        channel.close().sync();
        ByteBuf late = frame(1, 100);
        wire.send(late, gone::incrementAndGet);
        assertThat(late.refCnt()).isZero();
        assertThat(gone).hasValue(1);
    }

    @Test
    void whatWaitsWhenTheConnectionEndsIsReleased() throws Exception {
        List<ByteBuf> sent = new ArrayList<>();
        while (wire.waitingBytes() == 0) {
            sent.add(frame(1, 400));
            wire.send(sent.get(sent.size() - 1), gone::incrementAndGet);
        }
        channel.close().sync();
        awaitGone(sent.size());
        assertThat(sent).allSatisfy(bytes -> assertThat(bytes.refCnt()).isZero());
        assertThat(wire.waitingBytes()).isZero();
    }

    @Test
    void aConnectionThatTheReaderHasBrokenIsClosed() throws Exception {
        reader.setSoLinger(true, 0);
        reader.close();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        for (int sent = 1; channel.isOpen(); sent++) {
            assertThat(System.nanoTime() - deadline).isNegative();
            wire.send(frame(1, 100), gone::incrementAndGet);
            awaitGone(sent);
        }
    }

    @Test
    void whatHandlersChangeGoesThroughThem() {
        EmbeddedChannel embedded = new EmbeddedChannel();
        Wire.through(embedded).send(frame(1, 2), gone::incrementAndGet);
        ByteBuf out = embedded.readOutbound();
        assertThat(out.readInt()).isEqualTo(1);
        assertThat(gone).hasValue(1);
        out.release();
    }
}
