package io.raftlock.server.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Whether RocksDB's write-ahead log holds all that was ever synced to it. RocksDB itself takes some
 * damage for the end of the log and forgets what comes after it, and over some it never ends.
 *
 * <p>Only an unfinished last write is no damage: nothing follows it, and its record is not whole.
 * What follows a record was written when the record had been synced, and may be acknowledged.
 */
final class WalCheck {
    private static final String ENDING = ".log";

    // Records are laid out in blocks and never cross their borders:
    // masked CRC32C of type and payload (4 bytes), length of the payload (2), type (1), payload.
    private static final int BLOCK = 32 * 1024;
    private static final int HEADER = 7;
    private static final int LENGTH_AT = 4;
    private static final int TYPE_AT = 6;
    private static final int CRC_MASK = 0xa282ead8;
    private static final int CRC_ROTATION = 15;

    // A record, or its first, middle and last pieces if it would cross a border.
    private static final int FULL = 1;
    private static final int FIRST = 2;
    private static final int LAST = 4;

    private final ByteBuffer bytes;

    private WalCheck(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns where one file is damaged that no other follows, if it is. */
    static OptionalLong damageIn(byte[] file) {
        return new WalCheck(ByteBuffer.wrap(file)).damage(false);
    }

    /** Returns what is damaged in the log of that directory, for its operator, if anything is. */
    static Optional<String> damageIn(Path directory) throws IOException {
        List<Path> files = filesOf(directory);
        boolean isFollowed = false;
        for (int at = files.size() - 1; at >= 0; at--) {
            Path file = files.get(at);
            WalCheck check = new WalCheck(read(file));
            OptionalLong damage = check.damage(isFollowed);
            if (damage.isPresent()) {
                return Optional.of(
                        "file %s is damaged at byte %d, and more was written after it"
                                .formatted(file.getFileName(), damage.getAsLong()));
            }
            isFollowed |= check.isWhole(0);
        }
        return Optional.empty();
    }

    private static List<Path> filesOf(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            // Named by rising numbers of equal length.
            return files.filter(file -> file.toString().endsWith(ENDING)).sorted().toList();
        }
    }

    private static ByteBuffer read(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        }
    }

    /**
     * @param isFollowed whether a later file has records, so that this one cannot end unfinished
     */
    private OptionalLong damage(boolean isFollowed) {
        int end = endOfWhole(0);
        boolean isDamage =
                end < bytes.limit()
                        && ((isFollowed && hasContentAt(end))
                                || isFollowedByRecord(end)
                                || isWholeButForItsHeader(end));
        return isDamage ? OptionalLong.of(end) : OptionalLong.empty();
    }

    /** Returns where the first record begins that is not whole. */
    private int endOfWhole(int from) {
        int at = skipBorder(from);
        while (isWhole(at)) {
            at = skipBorder(at + HEADER + lengthAt(at));
        }
        return Math.min(at, bytes.limit());
    }

    /** The last bytes of a block are not used if no header fits. */
    private static int skipBorder(int at) {
        return leftInBlock(at) < HEADER ? at + leftInBlock(at) : at;
    }

    private static int leftInBlock(int at) {
        return BLOCK - at % BLOCK;
    }

    private int room(int at) {
        return Math.min(leftInBlock(at), bytes.limit() - at) - HEADER;
    }

    private int lengthAt(int at) {
        return Short.toUnsignedInt(bytes.getShort(at + LENGTH_AT));
    }

    private int crcAt(int at) {
        return Integer.rotateLeft(bytes.getInt(at) - CRC_MASK, CRC_ROTATION);
    }

    private boolean isWhole(int at) {
        if (room(at) < 0 || lengthAt(at) > room(at)) {
            return false;
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(at + TYPE_AT, 1 + lengthAt(at)));
        return (int) crc.getValue() == crcAt(at);
    }

    /** What is reserved and not yet written is zero. */
    private boolean hasContentAt(int at) {
        return room(at) >= 0 && (bytes.getInt(at) != 0 || lengthAt(at) != 0);
    }

    /** A write that did not finish has no right checksum: not for another length or type either. */
    private boolean isWholeButForItsHeader(int at) {
        for (int type = FULL; type <= LAST && room(at) >= 0; type++) {
            CRC32C crc = new CRC32C();
            crc.update(type);
            for (int length = 0; length < room(at); length++) {
                crc.update(bytes.get(at + HEADER + length));
                if ((int) crc.getValue() == crcAt(at)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isFollowedByRecord(int damage) {
        for (int at = damage + 1; at + HEADER <= bytes.limit(); at++) {
            int type = bytes.get(at + TYPE_AT);
            // The other pieces can be of the unfinished write itself.
            if ((type == FULL || type == FIRST) && lengthAt(at) > 0 && isWhole(at)) {
                return true;
            }
        }
        return false;
    }
}
