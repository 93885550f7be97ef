package io.raftlock.server.lock;

import java.util.ArrayList;
import java.util.List;

/**
 * All locks in the order in which they were added, in pages, so that a snapshot shares them for one
 * reference to each page. Pages that have few locks left are joined: of many locks there is at most
 * a page for sixteen, whichever are left.
 */
final class LockPages {
    /** In order; none is empty. */
    private final List<Page> pages = new ArrayList<>();

    /** Those after all pages, fewer than one has: most locks are not held for long. Not shared. */
    private final List<Lock> newest = new ArrayList<>(Page.MAX_LOCKS);

    private long lastPlace;

    int pageCount() {
        return pages.size();
    }

    /** Adds a lock after all others. */
    Lock add(Hold hold) {
        lastPlace++;
        Lock lock = new Lock(lastPlace, hold);
        newest.add(lock);
        if (newest.size() == Page.MAX_LOCKS) {
            pages.add(new Page(newest));
            newest.clear();
        }
        return lock;
    }

    /** Puts another in the place of a lock. */
    void replace(Lock lock, Lock by) {
        if (isNew(lock)) {
            newest.set(Page.indexOf(lock, newest), by);
        } else {
            int at = indexOf(lock);
            pages.set(at, pages.get(at).replace(lock, by));
        }
    }

    void remove(Lock lock) {
        if (isNew(lock)) {
            newest.remove(Page.indexOf(lock, newest));
        } else {
            removeFromPage(lock, indexOf(lock));
        }
    }

    private void removeFromPage(Lock lock, int at) {
        Page left = pages.get(at).without(lock);
        if (left.isEmpty()) {
            pages.remove(at);
            return;
        }
        pages.set(at, left);
        if (left.isSparse()) {
            join(at);
            join(at - 1);
        }
    }

    /** Makes one page of this and the next, if there is a next and it has room. */
    private void join(int at) {
        if (at >= 0 && at + 1 < pages.size() && pages.get(at).hasRoomFor(pages.get(at + 1))) {
            pages.set(at, pages.get(at).with(pages.remove(at + 1)));
        }
    }

    private boolean isNew(Lock lock) {
        return !newest.isEmpty() && newest.get(0).place() <= lock.place();
    }

    /** Returns where the page is that has the lock. */
    private int indexOf(Lock lock) {
        Invariant.check(!pages.isEmpty(), "a lock stands in a page");
        int low = 0;
        int high = pages.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (pages.get(middle).get(0).place() <= lock.place()) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Returns the locks as they are now, for any thread to read. */
    SharedLocks share() {
        List<Page> all = new ArrayList<>(pages.size() + 1);
        all.addAll(pages);
        if (!newest.isEmpty()) {
            all.add(new Page(newest));
        }
        return new SharedLocks(List.copyOf(all));
    }
}
