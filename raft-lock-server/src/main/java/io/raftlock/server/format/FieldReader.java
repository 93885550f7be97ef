package io.raftlock.server.format;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.ProtocolException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Reads what {@link FieldWriter} wrote. Whatever the bytes are, it throws IOException at most. */
final class FieldReader {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final @Nullable InputStream in;
    private final ByteBuffer buffer;
    private final CRC32C crc = new CRC32C();

    /** From here to the position of the buffer, bytes were read that the checksum lacks. */
    private int unsummed;

    FieldReader(InputStream in) {
        this.in = in;
        buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    }

    FieldReader(ByteBuffer bytes) {
        in = null;
        buffer = bytes;
    }

    int readByte() throws IOException {
        return Byte.toUnsignedInt(require(Byte.BYTES).get());
    }

    boolean readBoolean() throws IOException {
        int value = readByte();
        if (value > 1) {
            throw new UnreadableException("neither true nor false: " + value);
        }
        return value == 1;
    }

    int readShort() throws IOException {
        return Short.toUnsignedInt(require(Short.BYTES).getShort());
    }

    int readCount() throws IOException {
        int count = require(Integer.BYTES).getInt();
        if (count < 0) {
            throw new UnreadableException("a count of " + count);
        }
        return count;
    }

    long readLong() throws IOException {
        return require(Long.BYTES).getLong();
    }

    String readText() throws IOException {
        int length = readShort();
        if (length > FieldWriter.MAX_TEXT_BYTES) {
            throw new UnreadableException("text of " + length + " bytes");
        }
        require(length);
        ByteBuffer bytes = buffer.slice(buffer.position(), length);
        buffer.position(buffer.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException malformed) {
            throw new UnreadableException("text is not UTF-8", malformed);
        }
    }

    LockName readName() throws IOException {
        String text = readText();
        try {
            return new LockName(text);
        } catch (IllegalArgumentException invalid) {
            throw new UnreadableException("invalid lock name", invalid);
        }
    }

    ErrorCode readErrorCode() throws IOException {
        int code = readShort();
        try {
            return ErrorCode.of(code);
        } catch (ProtocolException unknown) {
            throw new UnreadableException("unknown error code", unknown);
        }
    }

    /** Reads the checksum, and checks that it is that of everything read before. */
    void checkChecksum() throws IOException {
        sumUp();
        int expected = (int) crc.getValue();
        if (require(Integer.BYTES).getInt() != expected) {
            throw new UnreadableException("the checksum does not match");
        }
    }

    /** Checks that nothing is left to read. */
    void checkEnd() throws IOException {
        if (buffer.hasRemaining() || (in != null && in.read() >= 0)) {
            throw new UnreadableException("there are bytes after the end");
        }
    }

    private ByteBuffer require(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            refill(bytes);
        }
        return buffer;
    }

    private void refill(int bytes) throws IOException {
        if (in == null) {
            throw new UnreadableException("the bytes end too early");
        }
        sumUp();
        buffer.compact();
        unsummed = 0;
        int read = in.readNBytes(buffer.array(), buffer.position(), buffer.remaining());
        buffer.position(buffer.position() + read).flip();
        if (buffer.remaining() < bytes) {
            throw new UnreadableException("the bytes end too early");
        }
    }

    private void sumUp() {
        crc.update(buffer.array(), unsummed, buffer.position() - unsummed);
        unsummed = buffer.position();
    }
}
