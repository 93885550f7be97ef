package io.raftlock.protocol;

import java.nio.charset.StandardCharsets;

/**
 * The name of a lock: 1 to 512 bytes of UTF-8 without control characters. Names are compared as
 * they are; two spellings of one accented letter are two names.
 */
public record LockName(String value) {

    /**
     * @throws IllegalArgumentException if the name is empty, too long, or holds a control character
     *     or half a surrogate pair
     */
    public LockName {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("a lock name has at least one character");
        }
        // Checked before encoding, so that a name of many megabytes costs nothing.
        if (value.length() > ProtocolLimits.MAX_NAME_BYTES) {
            throw new IllegalArgumentException(tooLong(value.length() + " characters"));
        }
        for (int at = 0; at < value.length(); at += Character.charCount(value.codePointAt(at))) {
            requirePlain(value.codePointAt(at), at);
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ProtocolLimits.MAX_NAME_BYTES) {
            throw new IllegalArgumentException(tooLong(bytes + " bytes"));
        }
    }

    private static void requirePlain(int codePoint, int at) {
        if (Character.isISOControl(codePoint)) {
            throw new IllegalArgumentException(
                    "a lock name has no control characters, but this one has U+%04X at %d"
                            .formatted(codePoint, at));
        }
        if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
            throw new IllegalArgumentException(
                    "a lock name is well-formed text, but this one has half a pair at " + at);
        }
    }

    private static String tooLong(String length) {
        return "a lock name has at most %d bytes of UTF-8, but this one has %s"
                .formatted(ProtocolLimits.MAX_NAME_BYTES, length);
    }

    @Override
    public String toString() {
        return value;
    }
}
