package io.raftlock.server.format;

import io.raftlock.server.lock.Snapshot;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A short text that is the same on two nodes when their states are, and else is not. */
public final class StateDigest {
    private static final int BYTES = 8;

    private StateDigest() {}

    /** Returns 16 hexadecimal characters for the state. */
    public static String of(Snapshot snapshot) {
        MessageDigest sha256 = sha256();
        try {
            SnapshotCodec.write(
                    snapshot, new DigestOutputStream(OutputStream.nullOutputStream(), sha256));
        } catch (IOException impossible) {
            throw new UncheckedIOException("nothing is written anywhere", impossible);
        }
        return HexFormat.of().formatHex(sha256.digest(), 0, BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
