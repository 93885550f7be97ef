package io.raftlock.chaos.ledger;

import java.util.Arrays;

/** What the cluster clock showed after each entry, in order of index. */
final class ClockOfEntries {
    private long[] indexes = new long[1024];
    private long[] millis = new long[1024];
    private int size;

    void add(long index, long clockMillis) {
        if (size == indexes.length) {
            indexes = Arrays.copyOf(indexes, size * 2);
            millis = Arrays.copyOf(millis, size * 2);
        }
        indexes[size] = index;
        millis[size] = clockMillis;
        size++;
    }

    /** Returns the clock after the last entry up to that index, in milliseconds; 0 before any. */
    long at(long index) {
        int found = Arrays.binarySearch(indexes, 0, size, index);
        int last = found >= 0 ? found : -found - 2;
        return last < 0 ? 0 : millis[last];
    }

    int size() {
        return size;
    }

    long firstIndex() {
        return size == 0 ? 0 : indexes[0];
    }

    long lastIndex() {
        return size == 0 ? 0 : indexes[size - 1];
    }
}
