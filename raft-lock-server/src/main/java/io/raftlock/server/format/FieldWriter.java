package io.raftlock.server.format;

import io.raftlock.protocol.LockName;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Fields as bytes: big-endian numbers; text with its length in two bytes in front. */
final class FieldWriter {
    /**
     * Longest text in bytes of UTF-8. A limit of the format: it must not follow the limits of the
     * client protocol, or nodes of two versions would read one log differently.
     */
    static final int MAX_TEXT_BYTES = 4_096;

    private final OutputStream out;
    private final ByteBuffer buffer;
    private final CRC32C crc = new CRC32C();

    FieldWriter(OutputStream out, int bufferBytes) {
        this.out = out;
        buffer = ByteBuffer.allocate(bufferBytes);
    }

    void writeByte(int value) throws IOException {
        room(Byte.BYTES).put((byte) value);
    }

    void writeBoolean(boolean value) throws IOException {
        writeByte(value ? 1 : 0);
    }

    void writeShort(int value) throws IOException {
        room(Short.BYTES).putShort((short) value);
    }

    void writeInt(int value) throws IOException {
        room(Integer.BYTES).putInt(value);
    }

    void writeLong(long value) throws IOException {
        room(Long.BYTES).putLong(value);
    }

    /**
     * Writes text so that what is read equals it.
     *
     * @throws IllegalArgumentException if the text is too long, or holds half a surrogate pair
     */
    void writeText(String text) throws IOException {
        ByteBuffer bytes = encode(text);
        if (bytes.remaining() > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "text of %d bytes where at most %d are allowed"
                            .formatted(bytes.remaining(), MAX_TEXT_BYTES));
        }
        writeShort(bytes.remaining());
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), room(1).remaining());
            buffer.put(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
        }
    }

    private static ByteBuffer encode(String text) {
        try {
            // A fresh encoder reports malformed input, where String.getBytes() would replace it.
            return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException("text is not well-formed", malformed);
        }
    }

    void writeName(LockName name) throws IOException {
        writeText(name.value());
    }

    /** Writes the checksum of everything written before. */
    void writeChecksum() throws IOException {
        flush();
        writeInt((int) crc.getValue());
    }

    /** Hands all bytes to the stream, which it does not flush. */
    void flush() throws IOException {
        crc.update(buffer.array(), 0, buffer.position());
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    private ByteBuffer room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        return buffer;
    }
}
