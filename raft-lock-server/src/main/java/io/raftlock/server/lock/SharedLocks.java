package io.raftlock.server.lock;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * All locks at one position of the log, in order, for any thread to read. Their records are made
 * while they are read, each time anew: there may be millions, so they had better die young.
 */
final class SharedLocks extends AbstractList<LockRecord> {
    private final List<Page> pages;

    /** How many locks stand before each page. */
    private final int[] before;

    private final int size;

    /**
     * @param pages none of which is empty
     */
    SharedLocks(List<Page> pages) {
        this.pages = pages;
        before = new int[pages.size()];
        int count = 0;
        for (int page = 0; page < before.length; page++) {
            before[page] = count;
            count += pages.get(page).size();
        }
        size = count;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public LockRecord get(int index) {
        int found = Arrays.binarySearch(before, Objects.checkIndex(index, size));
        int page = found >= 0 ? found : -found - 2;
        return pages.get(page).get(index - before[page]).copy();
    }

    @Override
    public Iterator<LockRecord> iterator() {
        return pages.stream().flatMap(Page::stream).map(Lock::copy).iterator();
    }
}
