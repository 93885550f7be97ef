package io.raftlock.server.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.server.lock.Snapshot;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

class SnapshotCodecTest {

    @Example
    void everyFlippedBitIsFound() throws IOException {
        byte[] bytes = bytes(Samples.snapshot(2));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertRefused(bytes, "bit " + bit);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Example
    void everyTruncationIsFound() throws IOException {
        byte[] bytes = bytes(Samples.snapshot(2));
        for (int length = 0; length < bytes.length; length++) {
            assertRefused(Arrays.copyOf(bytes, length), "length " + length);
        }
        assertRefused(Arrays.copyOf(bytes, bytes.length + 1), "one byte more");
    }

    @Property(tries = 1_000)
    void randomBytesAreRefused(@ForAll byte[] bytes) {
        assertRefused(bytes, "random bytes");
    }

    private static void assertRefused(byte[] bytes, String what) {
        assertThatThrownBy(() -> read(bytes))
                .as(what)
                .isInstanceOfAny(DamagedSnapshotException.class, FutureFormatException.class);
    }

    @Example
    void aLaterFormatIsCalledSo() throws IOException {
        byte[] bytes = bytes(Snapshot.EMPTY);
        bytes[8] = Formats.NEWEST + 1;
        assertThatThrownBy(() -> read(bytes))
                .isInstanceOf(FutureFormatException.class)
                .hasMessageContaining("the snapshot has format 3");
    }

    @Example
    void manyLocksComeBackFromAStreamThatGivesLittleAtATime() throws Exception {
        Snapshot many = Samples.large(20_000);
        InputStream slow =
                new ByteArrayInputStream(bytes(many)) {
                    @Override
                    public int read(byte[] into, int from, int length) {
                        return super.read(into, from, Math.min(length, 1_000));
                    }
                };
        assertThat(SnapshotCodec.read(slow, Formats.NEWEST)).isEqualTo(many);
    }

    private static byte[] bytes(Snapshot snapshot) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        SnapshotCodec.write(snapshot, bytes);
        return bytes.toByteArray();
    }

    @Example
    void anOldSnapshotIsReadAndIsTheSameStateForOldAndNew() throws Exception { // E66
        Snapshot old = Samples.snapshot(1);
        Snapshot read = read(bytes(old));
        assertThat(read).isEqualTo(old);
        assertThat(StateDigest.of(read)).isEqualTo(StateDigest.of(old));
        assertThatThrownBy(
                        () ->
                                SnapshotCodec.read(
                                        new ByteArrayInputStream(bytes(Samples.snapshot(2))), 1))
                .isInstanceOf(FutureFormatException.class);
    }

    private static Snapshot read(byte[] bytes) throws DamagedSnapshotException {
        return SnapshotCodec.read(new ByteArrayInputStream(bytes), Formats.NEWEST);
    }
}
