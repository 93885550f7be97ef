package io.raftlock.server.simulation;

import io.raftlock.server.format.DamagedSnapshotException;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.format.SnapshotCodec;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Snapshot;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Sends entries and snapshots through the bytes that they are on disk and between nodes. */
final class Bytes {
    private Bytes() {}

    static Entry written(long stampMillis, List<Command> commands) {
        byte[] bytes = EntryCodec.encode(new Entry(stampMillis, commands));
        return EntryCodec.decode(ByteBuffer.wrap(bytes), Formats.NEWEST);
    }

    static Snapshot written(Snapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            SnapshotCodec.write(snapshot, bytes);
            return SnapshotCodec.read(
                    new ByteArrayInputStream(bytes.toByteArray()), Formats.NEWEST);
        } catch (IOException | DamagedSnapshotException impossible) {
            throw new AssertionError("a snapshot that was just written is unreadable", impossible);
        }
    }
}
