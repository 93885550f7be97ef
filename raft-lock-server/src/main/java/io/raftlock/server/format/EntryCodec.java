package io.raftlock.server.format;

import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Invariant;
import io.raftlock.server.lock.LogPosition;
import io.raftlock.server.lock.Snapshot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Log entries as bytes: format, stamp, count, then each command with its code and its length.
 *
 * <p>Reading is total, and the same on every node: a command that cannot be read becomes {@link
 * Command.Malformed} among its neighbours, and bytes that are no entry become an entry with one
 * such command. Only an entry of a later format is never read.
 */
public final class EntryCodec {
    private static final int HEADER_BYTES = Byte.BYTES + Long.BYTES + Short.BYTES;
    private static final int COMMAND_HEADER_BYTES = Byte.BYTES + Short.BYTES;
    private static final Entry NO_ENTRY = new Entry(0, List.of(new Command.Malformed()));

    private EntryCodec() {}

    /**
     * Returns the entry as bytes, from which {@link #decode} makes an equal entry.
     *
     * @throws IllegalArgumentException if a text in it is too long or not well-formed
     */
    public static byte[] encode(Entry entry) {
        return join(
                format(entry),
                entry.stampMillis(),
                entry.commands().stream().map(EntryCodec::encode).toList());
    }

    /** Returns the oldest format that has all commands of the entry. */
    public static int format(Entry entry) {
        int format = Snapshot.FIRST_FORMAT;
        for (Command command : entry.commands()) {
            format = Math.max(format, command.kind().format());
        }
        return format;
    }

    /**
     * Returns one command as bytes, for {@link #join}.
     *
     * @throws IllegalArgumentException if a text in it is too long or not well-formed
     */
    public static byte[] encode(Command command) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(128);
        try {
            FieldWriter out = new FieldWriter(body, 128);
            CommandCodec.write(out, command);
            out.flush();
        } catch (IOException impossible) {
            throw new UncheckedIOException("in memory", impossible);
        }
        Invariant.check(body.size() <= 0xFFFF, "a command's length fits its field");
        return ByteBuffer.allocate(COMMAND_HEADER_BYTES + body.size())
                .put((byte) CommandCodec.code(command.kind()))
                .putShort((short) body.size())
                .put(body.toByteArray())
                .array();
    }

    /** Returns an entry of commands that are bytes already. */
    public static byte[] join(int format, long stampMillis, List<byte[]> commands) {
        Invariant.check(stampMillis >= 0, "a stamp is not negative");
        Invariant.check(commands.size() <= LogPosition.MAX_BATCH, "an entry's batch is bounded");
        int length = HEADER_BYTES;
        for (byte[] command : commands) {
            length += command.length;
        }
        ByteBuffer entry =
                ByteBuffer.allocate(length)
                        .put((byte) format)
                        .putLong(stampMillis)
                        .putShort((short) commands.size());
        commands.forEach(entry::put);
        return entry.array();
    }

    /**
     * Reads an entry; the buffer itself does not change.
     *
     * @param newest format that may be read
     * @throws FutureFormatException if the entry has a later format
     */
    public static Entry decode(ByteBuffer bytes, int newest) {
        ByteBuffer in = bytes.slice();
        if (!in.hasRemaining()) {
            return NO_ENTRY;
        }
        int format = Byte.toUnsignedInt(in.get(0));
        if (format > newest) {
            throw new FutureFormatException("an entry of the log", format, newest);
        }
        if (format < Snapshot.FIRST_FORMAT || in.remaining() < HEADER_BYTES) {
            return NO_ENTRY;
        }
        in.get();
        long stampMillis = in.getLong();
        int count = Short.toUnsignedInt(in.getShort());
        if (stampMillis < 0 || count > LogPosition.MAX_BATCH) {
            return NO_ENTRY;
        }
        return decodeCommands(in, new Versions(format, newest), stampMillis, count);
    }

    private record Versions(int ofEntry, int newest) {}

    private static Entry decodeCommands(
            ByteBuffer in, Versions versions, long stampMillis, int count) {
        List<Command> commands = new ArrayList<>(count);
        for (int slot = 0; slot < count; slot++) {
            if (in.remaining() < COMMAND_HEADER_BYTES) {
                return NO_ENTRY;
            }
            int code = Byte.toUnsignedInt(in.get());
            int length = Short.toUnsignedInt(in.getShort());
            if (in.remaining() < length) {
                return NO_ENTRY;
            }
            commands.add(decodeCommand(versions, code, in.slice(in.position(), length)));
            in.position(in.position() + length);
        }
        return in.hasRemaining() ? NO_ENTRY : new Entry(stampMillis, commands);
    }

    private static Command decodeCommand(Versions versions, int code, ByteBuffer body) {
        try {
            FieldReader in = new FieldReader(body);
            Command command = CommandCodec.read(code, in);
            in.checkEnd();
            // Who reads this format only does not know the command, and has to agree with us.
            return command.kind().format() > versions.ofEntry()
                    ? new Command.Malformed()
                    : known(command, versions.newest());
        } catch (IOException unreadable) {
            return new Command.Malformed();
        }
    }

    private static Command known(Command command, int newest) {
        if (command instanceof Command.RaiseFormat raise && raise.format() > newest) {
            throw new FutureFormatException("the log from here on", raise.format(), newest);
        }
        return command;
    }
}
