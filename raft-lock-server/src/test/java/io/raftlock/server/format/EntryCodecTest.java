package io.raftlock.server.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;

import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class EntryCodecTest {
    private static final Entry NO_ENTRY = new Entry(0, List.of(new Command.Malformed()));

    private static final Entry ALL_KINDS =
            new Entry(5, Stream.of(Command.Kind.values()).map(Samples::command).toList());

    @Property(tries = 2_000)
    void bytesOfAnyKindAreReadOrAreOfTheFuture(@ForAll byte[] bytes) {
        decodeQuietly(bytes);
    }

    /** But for bytes that happen to say that the log goes on in a format which is not known. */
    @Property(tries = 2_000)
    void anyBytesAfterTheHeaderAreRead(
            @ForAll @Size(max = 300) byte[] body, @ForAll Random random) {
        byte[] entry = new byte[11 + body.length];
        System.arraycopy(body, 0, entry, 11, body.length);
        entry[0] = (byte) Formats.NEWEST;
        entry[10] = (byte) random.nextInt(5);
        try {
            assertThat(decode(entry).commands()).isNotNull();
        } catch (FutureFormatException future) {
            assertThat(raisesTheFormatBeyondWhatIsKnown(body)).isTrue();
        }
    }

    @Example
    void bytesThatRaiseTheFormatBeyondWhatIsKnownAreNotRead() {
        byte[] entry = {Formats.NEWEST, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 11, 0, 1, -1};
        assertThatThrownBy(() -> decode(entry)).isInstanceOf(FutureFormatException.class);
    }

    /** Whether somewhere in the bytes stands a whole command to that effect. */
    private static boolean raisesTheFormatBeyondWhatIsKnown(byte[] bytes) {
        return IntStream.rangeClosed(0, bytes.length - 4)
                .anyMatch(
                        at ->
                                bytes[at] == 11
                                        && bytes[at + 1] == 0
                                        && bytes[at + 2] == 1
                                        && Byte.toUnsignedInt(bytes[at + 3]) > Formats.NEWEST);
    }

    @Property(tries = 2_000)
    void changedBytesAreReadOrAreOfTheFuture(
            @ForAll @IntRange(max = 100_000) int where, @ForAll byte value) {
        byte[] bytes = EntryCodec.encode(ALL_KINDS);
        bytes[where % bytes.length] = value;
        decodeQuietly(bytes);
    }

    private static void decodeQuietly(byte[] bytes) {
        try {
            assertThat(decode(bytes).commands()).isNotNull();
        } catch (FutureFormatException future) {
            assertThat(future).hasMessageContaining("run a newer version");
        }
    }

    @Example
    void everyTruncationIsNoEntry() {
        byte[] whole = EntryCodec.encode(ALL_KINDS);
        for (int length = 0; length < whole.length; length++) {
            assertThat(decode(Arrays.copyOf(whole, length))).isEqualTo(NO_ENTRY);
        }
    }

    @Example
    void anUnreadableCommandLeavesItsNeighboursAlone() {
        byte[] unknown = {99, 0, 2, 1, 2};
        byte[] cutShort = {4, 0, 1, 0};
        byte[] tooLong = {8, 0, 1, 0};
        byte[] stamp = EntryCodec.encode(new Command.Stamp());
        byte[] entry = EntryCodec.join(1, 7, List.of(stamp, unknown, cutShort, tooLong, stamp));
        assertThat(decode(entry))
                .isEqualTo(
                        new Entry(
                                7,
                                List.of(
                                        new Command.Stamp(),
                                        new Command.Malformed(),
                                        new Command.Malformed(),
                                        new Command.Malformed(),
                                        new Command.Stamp())));
    }

    @Example
    void aLaterFormatIsNotSkipped() {
        byte[] bytes = EntryCodec.encode(ALL_KINDS);
        bytes[0] = Formats.NEWEST + 1;
        assertThatThrownBy(() -> decode(bytes))
                .isInstanceOf(FutureFormatException.class)
                .hasMessageContaining("format 3")
                .hasMessageContaining("run a newer version");
    }

    @Example
    void aFullEntryIsReadWhole() {
        Entry full = new Entry(1, Collections.nCopies(4_096, new Command.Stamp()));
        assertThat(decode(EntryCodec.encode(full))).isEqualTo(full);
    }

    @Example
    void readingLeavesTheBufferAsItWas() {
        ByteBuffer bytes = ByteBuffer.wrap(EntryCodec.encode(ALL_KINDS)).asReadOnlyBuffer();
        int length = bytes.remaining();
        assertThat(EntryCodec.decode(bytes, Formats.NEWEST)).isEqualTo(ALL_KINDS);
        assertThat(bytes.remaining()).isEqualTo(length);
    }

    @Example
    void textThatWouldComeBackChangedIsNotWritten() {
        for (String text : List.of("\uD800", "x".repeat(4_097))) {
            List<Command> commands = new ArrayList<>();
            commands.add(
                    new Command.OpenSession(
                            new SessionSecret(1, 2), 3, new ClientMetadata(text, "", 0)));
            assertThatThrownBy(() -> EntryCodec.encode(new Entry(1, commands)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        Command longest =
                new Command.OpenSession(
                        new SessionSecret(1, 2),
                        3,
                        new ClientMetadata("ä".repeat(2_048), "x".repeat(4_096), 0));
        assertThat(decode(EntryCodec.encode(new Entry(1, List.of(longest)))))
                .isEqualTo(new Entry(1, List.of(longest)));
    }

    @Example
    void numbersKeepTheirSign() {
        Entry entry =
                new Entry(
                        Long.MAX_VALUE,
                        List.of(new Command.ExpireSession(new SessionId(-1), Long.MIN_VALUE)));
        assertThat(decode(EntryCodec.encode(entry))).isEqualTo(entry);
    }

    @Example
    void aCommandOfALaterFormatIsNoneInAnEntryOfAnEarlierOne() { // E66
        Command note = Samples.command(Command.Kind.NOTE_SILENCE);
        List<byte[]> commands = List.of(EntryCodec.encode(note));
        assertThat(decode(EntryCodec.join(2, 7, commands)).commands()).containsExactly(note);
        assertThat(decode(EntryCodec.join(1, 7, commands)).commands())
                .containsExactly(new Command.Malformed());
    }

    @Example
    void anEntryHasTheOldestFormatThatHasItsCommands() { // E66
        for (Command.Kind kind : Command.Kind.values()) {
            Entry entry = new Entry(7, List.of(new Command.Stamp(), Samples.command(kind)));
            assertThat(EntryCodec.encode(entry)[0]).isEqualTo((byte) kind.format());
        }
    }

    @Example
    void anOldVersionStopsAtALaterFormatAndReadsTheEarlierOne() { // E66
        byte[] early = EntryCodec.encode(new Entry(7, List.of(new Command.Stamp())));
        byte[] late = EntryCodec.encode(ALL_KINDS);
        assertThat(EntryCodec.decode(ByteBuffer.wrap(early), 1).commands()).hasSize(1);
        assertThatThrownBy(() -> EntryCodec.decode(ByteBuffer.wrap(late), 1))
                .isInstanceOf(FutureFormatException.class);
    }

    @Example
    void aVersionThatIsTooOldForWhatTheMembersAgreedOnStopsThere() { // E66
        byte[] raise = EntryCodec.encode(new Entry(7, List.of(new Command.RaiseFormat(3))));
        assertThatThrownBy(() -> decode(raise))
                .isInstanceOf(FutureFormatException.class)
                .hasMessageContaining("format 3");
    }

    private static Entry decode(byte[] bytes) {
        return EntryCodec.decode(ByteBuffer.wrap(bytes), Formats.NEWEST);
    }
}
