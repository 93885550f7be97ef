package io.raftlock.chaos.ledger;

import io.raftlock.chaos.ledger.JournalSource.Recorded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Reads all journals side by side in order of index, and finds where they differ. Of each journal
 * one record is in memory at a time.
 */
final class JournalMerge {
    private final PriorityQueue<Cursor> heads =
            new PriorityQueue<>(Comparator.comparingLong(cursor -> cursor.head.index()));
    private final LedgerProblems problems;
    private long records;

    private static final class Cursor {
        private final String name;
        private final Iterator<Recorded> rest;
        private Recorded head;

        Cursor(String name, Iterator<Recorded> rest) {
            this.name = name;
            this.rest = rest;
            head = rest.next();
        }
    }

    JournalMerge(List<? extends JournalSource> journals, LedgerProblems problems) {
        this.problems = problems;
        for (JournalSource journal : journals) {
            Iterator<Recorded> records = journal.open();
            if (records.hasNext()) {
                heads.add(new Cursor(journal.name(), records));
            }
        }
    }

    boolean hasNext() {
        return !heads.isEmpty();
    }

    /**
     * Returns the entry of the lowest index that has not been returned, as most journals have it.
     */
    Recorded next() {
        long index = heads.element().head.index();
        List<Cursor> here = new ArrayList<>();
        while (!heads.isEmpty() && heads.element().head.index() == index) {
            here.add(heads.remove());
        }
        Recorded agreed = agree(here);
        here.forEach(this::advance);
        return agreed;
    }

    /** Returns how many records of all journals were read. */
    long records() {
        return records;
    }

    private void advance(Cursor cursor) {
        records++;
        long before = cursor.head.index();
        // A journal that steps back is reported once for each step, and read on from where it was.
        while (cursor.rest.hasNext()) {
            cursor.head = cursor.rest.next();
            if (cursor.head.index() > before) {
                heads.add(cursor);
                return;
            }
            problems.steppedBack(cursor.name, before, cursor.head.index());
        }
    }

    private Recorded agree(List<Cursor> here) {
        Recorded best = here.get(0).head;
        int most = votes(here, best);
        for (Cursor cursor : here) {
            int votes = votes(here, cursor.head);
            if (votes > most) {
                most = votes;
                best = cursor.head;
            }
        }
        if (most < here.size()) {
            report(here, best);
        }
        return best;
    }

    private void report(List<Cursor> here, Recorded best) {
        for (Cursor cursor : here) {
            if (!same(cursor.head, best)) {
                String like =
                        here.stream()
                                .filter(other -> same(other.head, best))
                                .map(other -> other.name)
                                .findFirst()
                                .orElse("");
                problems.differ(best.index(), cursor.name, cursor.head, like, best);
            }
        }
    }

    private static int votes(List<Cursor> here, Recorded candidate) {
        int votes = 0;
        for (Cursor cursor : here) {
            if (same(cursor.head, candidate)) {
                votes++;
            }
        }
        return votes;
    }

    private static boolean same(Recorded one, Recorded two) {
        return one.term() == two.term() && Arrays.equals(one.entry(), two.entry());
    }
}
