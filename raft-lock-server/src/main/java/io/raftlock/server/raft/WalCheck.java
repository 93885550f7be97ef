package io.raftlock.server.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 *
 * <p>A write is unfinished if the file ends in it, or if a sector of it is still zero: it went over
 * zeros (see {@link WalRoom}), and a disk writes whole sectors. This is how etcd's log tells a torn
 * write from a damaged one. RocksDB cannot, so such a write is cut off before it opens the log.
 */
final class WalCheck {
    private static final String ENDING = ".log";

    // Records are laid out in blocks and never cross their borders:
    // masked CRC32C of type and payload (4 bytes), length of the payload (2), type (1), payload.
    static final int BLOCK = 32 * 1024;
    static final int HEADER = 7;
    private static final int LENGTH_AT = 4;
    private static final int TYPE_AT = 6;
    private static final int CRC_MASK = 0xa282ead8;
    private static final int CRC_ROTATION = 15;

    private static final int SECTOR = 512;

    // A record, or its first, middle and last pieces if it would cross a border.
    private static final int FULL = 1;
    private static final int FIRST = 2;
    private static final int MIDDLE = 3;
    private static final int LAST = 4;

    private final ByteBuffer bytes;

    /** Where the last record ends that is whole, with all its pieces. */
    private int endOfRecords;

    /** Where the first piece begins that is not whole. */
    private final int endOfWhole;

    /** Only zeros are left from here on. */
    private final int endOfContent;

    private WalCheck(ByteBuffer bytes) {
        this.bytes = bytes.order(ByteOrder.LITTLE_ENDIAN);
        endOfWhole = readRecords();
        endOfContent = readZeros();
    }

    /** Returns where one file is damaged that no other follows, if it is. */
    static OptionalLong damageIn(byte[] file) {
        return new WalCheck(ByteBuffer.wrap(file)).damage(false);
    }

    /**
     * What the files of a directory hold.
     *
     * @param damage for the operator, if there is any
     * @param unfinished files without damage whose last write did not finish, and where it begins
     */
    record Found(Optional<String> damage, Map<Path, Integer> unfinished) {
        Found {
            unfinished = Map.copyOf(unfinished);
        }

        /** Cuts off what did not finish. */
        void cutUnfinished() throws IOException {
            for (Map.Entry<Path, Integer> cut : unfinished.entrySet()) {
                try (FileChannel file = FileChannel.open(cut.getKey(), StandardOpenOption.WRITE)) {
                    file.truncate(cut.getValue());
                    file.force(true);
                }
            }
        }
    }

    /** Reads the log of that directory and changes nothing; all ends with the first damage. */
    static Found look(Path directory) throws IOException {
        List<Path> files = filesOf(directory);
        Map<Path, Integer> unfinished = new HashMap<>();
        boolean isFollowed = false;
        for (int at = files.size() - 1; at >= 0; at--) {
            Path file = files.get(at);
            WalCheck check = new WalCheck(read(file));
            OptionalLong damage = check.damage(isFollowed);
            if (damage.isPresent()) {
                String what =
                        "file %s is damaged at byte %d"
                                .formatted(file.getFileName(), damage.getAsLong());
                return new Found(Optional.of(what), Map.of());
            }
            if (check.isUnfinished()) {
                unfinished.put(file, check.endOfRecords);
            }
            isFollowed |= check.endOfWhole > 0;
        }
        return new Found(Optional.empty(), unfinished);
    }

    /** Returns the files, the newest last. */
    static List<Path> filesOf(Path directory) throws IOException {
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
        boolean isDamage =
                isUnfinished()
                        && (isFollowed
                                || (endOfContent > endOfWhole
                                        && (isFollowedByRecord(endOfWhole)
                                                || isWholeButForItsHeader(endOfWhole)
                                                || !isTorn(endOfWhole))));
        return isDamage ? OptionalLong.of(endOfWhole) : OptionalLong.empty();
    }

    private boolean isUnfinished() {
        return endOfContent > endOfWhole || endOfRecords < endOfWhole;
    }

    /** Whether the file ends in the piece that begins here, or a sector of it was not written. */
    private boolean isTorn(int at) {
        int end = endOfPiece(at);
        if (end > bytes.limit()) {
            return true;
        }
        for (int from = at; from < end; from = from / SECTOR * SECTOR + SECTOR) {
            if (isZero(from, Math.min(end, from / SECTOR * SECTOR + SECTOR))) {
                return true;
            }
        }
        return false;
    }

    /** As its header says, unless that is not written itself. */
    private int endOfPiece(int at) {
        if (bytes.limit() - at < HEADER) {
            return at + HEADER;
        }
        boolean isPossible =
                bytes.get(at + TYPE_AT) != 0 && lengthAt(at) <= leftInBlock(at) - HEADER;
        return isPossible ? at + HEADER + lengthAt(at) : endOfContent;
    }

    private boolean isZero(int from, int to) {
        for (int at = from; at < to; at++) {
            if (bytes.get(at) != 0) {
                return false;
            }
        }
        return true;
    }

    private int readRecords() {
        int at = 0;
        while (isWhole(at)) {
            int type = bytes.get(at + TYPE_AT);
            int end = at + HEADER + lengthAt(at);
            if (type != FIRST && type != MIDDLE) {
                endOfRecords = end;
            }
            at = skipBorder(end);
        }
        return Math.min(at, bytes.limit());
    }

    private int readZeros() {
        int end = bytes.limit();
        while (end > 0 && bytes.get(end - 1) == 0) {
            end--;
        }
        return end;
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
