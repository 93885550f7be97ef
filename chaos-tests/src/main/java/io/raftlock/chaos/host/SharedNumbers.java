package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers of 64 bits that several processes share by mapping the same file. What one writes the
 * others see at once, and in the order in which it was written.
 */
final class SharedNumbers {
    private static final int BYTES = 4096;
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer mapped;

    private SharedNumbers(ByteBuffer mapped) {
        this.mapped = mapped;
    }

    /** Makes the file, or makes it anew; all numbers are 0. */
    static SharedNumbers create(Path file) {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            return new SharedNumbers(channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Maps a file that another process has made. */
    static SharedNumbers open(Path file) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, BYTES);
            return new SharedNumbers(mapped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number at this place, the first of which is 0. */
    long get(int place) {
        return (long) LONGS.getVolatile(mapped, place * Long.BYTES);
    }

    void set(int place, long value) {
        LONGS.setVolatile(mapped, place * Long.BYTES, value);
    }
}
