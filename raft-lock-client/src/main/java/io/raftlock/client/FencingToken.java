package io.raftlock.client;

/**
 * A number that comes with each grant of a lock. Of two grants of one lock the later has the
 * greater token, whatever failed or was restored in between. Storage that remembers the greatest
 * token it has seen, and refuses a smaller one, is safe from a holder that has lost the lock and
 * does not know it yet.
 *
 * @param value the number to store and compare; never negative
 */
public record FencingToken(long value) implements Comparable<FencingToken> {
    private static final int POSITION_BITS = 12;

    /**
     * @throws IllegalArgumentException if the value is negative
     */
    public FencingToken {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "a fencing token is not negative, but this one is " + value);
        }
    }

    /** Returns the position in the cluster's log of the entry that granted the lock. */
    public long logIndex() {
        return value >>> POSITION_BITS;
    }

    /** Orders tokens by time of grant, if they are of one lock. */
    @Override
    public int compareTo(FencingToken other) {
        return Long.compare(value, other.value);
    }
}
