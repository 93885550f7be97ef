package io.raftlock.server.raft;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * A node's vote on disk, in two copies. An election waits for it, so it is written over what was
 * there, which is one request to the disk for each copy: no new file, no name, no new length.
 *
 * <p>The second copy is written when the disk has the first, and a vote counts when it has both. So
 * if one copy is damaged, by a write that was cut short or by the disk, the other has the last vote
 * that counts, or one after it. Used by one thread at a time.
 */
final class VoteFile implements Closeable {
    /**
     * Who has this node's vote in a term.
     *
     * @param votedFor a node, or nobody, as the engine writes it
     */
    record Vote(long term, String votedFor) {}

    /** Nobody can say any more whom this node gave its vote. */
    static final class DamagedVoteException extends IOException {
        private final String what;

        DamagedVoteException(String what) {
            super(what);
            this.what = what;
        }

        /** Returns what is wrong with the vote, without its name. */
        String what() {
            return what;
        }
    }

    private record Copy(long save, Vote vote) {}

    private static final int COPIES = 2;

    /** No disk writes more at once: a write that is cut short leaves the other copy as it is. */
    private static final int COPY_BYTES = 4_096;

    private static final int MAGIC = 0x564f5431;
    private static final int CHECKSUM_AT = COPY_BYTES - Integer.BYTES;

    private final RandomAccessFile file;
    private final boolean wasHalfDamaged;
    private Copy last;

    private VoteFile(RandomAccessFile file) throws IOException {
        this.file = file;
        @Nullable Copy first = read();
        @Nullable Copy second = read();
        wasHalfDamaged = first == null || second == null;
        last = newer(first, second);
    }

    /** Puts a file there that has this vote; whole or not at all, also if the machine stops. */
    static void create(Path file, Vote vote) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(COPIES * COPY_BYTES);
        for (int copy = 0; copy < COPIES; copy++) {
            content.put(encode(new Copy(0, vote)));
        }
        DurableFile.write(file, content.array());
    }

    /**
     * Opens a file that is there.
     *
     * @throws DamagedVoteException if both copies are damaged
     * @throws IOException if it cannot be opened for reading and writing, or not be read
     */
    static VoteFile open(Path file) throws IOException {
        // Each write ends when the disk has it, and no interrupt of the thread closes the file.
        RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rwd");
        try {
            return new VoteFile(opened);
        } catch (IOException failure) {
            opened.close();
            throw failure;
        }
    }

    /** Returns what was saved last. */
    Vote vote() {
        return last.vote();
    }

    /** Returns whether one copy could not be read when the file was opened. */
    boolean wasHalfDamaged() {
        return wasHalfDamaged;
    }

    /**
     * Returns when the vote is on disk.
     *
     * @throws IOException if it may not be; what is read later is this vote or the one before
     */
    void save(Vote vote) throws IOException {
        last = new Copy(last.save() + 1, vote);
        file.seek(0);
        for (int copy = 0; copy < COPIES; copy++) {
            file.write(encode(last));
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private @Nullable Copy read() throws IOException {
        byte[] copy = new byte[COPY_BYTES];
        int length = file.read(copy);
        return length == COPY_BYTES ? decode(copy) : null;
    }

    private static Copy newer(@Nullable Copy first, @Nullable Copy second) throws IOException {
        if (first != null && (second == null || first.save() >= second.save())) {
            return first;
        }
        if (second == null) {
            throw new DamagedVoteException("is damaged, in both its copies");
        }
        return second;
    }

    private static byte[] encode(Copy copy) {
        byte[] name = copy.vote().votedFor().getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
        bytes.putInt(MAGIC).putLong(copy.save()).putLong(copy.vote().term());
        bytes.putInt(name.length).put(name);
        return bytes.putInt(CHECKSUM_AT, checksum(bytes.array())).array();
    }

    private static @Nullable Copy decode(byte[] copy) {
        ByteBuffer bytes = ByteBuffer.wrap(copy);
        if (bytes.getInt(CHECKSUM_AT) != checksum(copy) || bytes.getInt() != MAGIC) {
            return null;
        }
        long save = bytes.getLong();
        long term = bytes.getLong();
        byte[] name = new byte[bytes.getInt()];
        bytes.get(name);
        return new Copy(save, new Vote(term, new String(name, StandardCharsets.UTF_8)));
    }

    private static int checksum(byte[] copy) {
        CRC32C sum = new CRC32C();
        sum.update(copy, 0, CHECKSUM_AT);
        return (int) sum.getValue();
    }
}
