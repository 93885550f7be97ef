package io.raftlock.protocol;

import io.netty.buffer.ByteBuf;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Fields as bytes: big-endian numbers; text and lists with a length of two bytes in front. */
final class Wire {
    private static final int MAX_LIST = 65_535;

    private Wire() {}

    static void writeText(ByteBuf out, String text, int maxBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > maxBytes) {
            throw new IllegalArgumentException(
                    "text of %d bytes where at most %d are allowed"
                            .formatted(bytes.length, maxBytes));
        }
        out.writeShort(bytes.length);
        out.writeBytes(bytes);
    }

    static String readText(ByteBuf in, int maxBytes) {
        int length = in.readUnsignedShort();
        if (length > maxBytes || length > in.readableBytes()) {
            throw new ProtocolException("text of " + length + " bytes");
        }
        ByteBuffer bytes = in.nioBuffer(in.readerIndex(), length);
        in.skipBytes(length);
        try {
            // A fresh decoder reports malformed input, where new String() would replace it.
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException malformed) {
            throw new ProtocolException("text is not UTF-8", malformed);
        }
    }

    static LockName readName(ByteBuf in) {
        String text = readText(in, ProtocolLimits.MAX_NAME_BYTES);
        try {
            return new LockName(text);
        } catch (IllegalArgumentException invalid) {
            throw new ProtocolException("invalid lock name", invalid);
        }
    }

    static void writeLongs(ByteBuf out, List<Long> values) {
        writeCount(out, values.size());
        values.forEach(out::writeLong);
    }

    static void writeCount(ByteBuf out, int count) {
        if (count > MAX_LIST) {
            throw new IllegalArgumentException("list of " + count + " values");
        }
        out.writeShort(count);
    }

    static <T> List<T> readList(ByteBuf in, int bytesEach, Function<ByteBuf, T> read) {
        int count = in.readUnsignedShort();
        if (count * (long) bytesEach > in.readableBytes()) {
            throw new ProtocolException("list of " + count + " values");
        }
        List<T> values = new ArrayList<>(count);
        for (int at = 0; at < count; at++) {
            values.add(read.apply(in));
        }
        return values;
    }
}
