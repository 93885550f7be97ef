package io.raftlock.chaos.ledger;

import io.raftlock.chaos.ledger.JournalSource.Recorded;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is wrong with the journals, each kind up to a bound: one real fault makes very many. */
final class LedgerProblems {
    private static final int MOST = 100;

    private final List<Disagreement> disagreements = new ArrayList<>();
    private final List<String> disorder = new ArrayList<>();
    private final List<String> unreadable = new ArrayList<>();

    void differ(long index, String journal, Recorded has, String other, Recorded most) {
        if (disagreements.size() < MOST) {
            String what =
                    has.term() == most.term()
                            ? "other bytes (%d and %d) in term %d"
                                    .formatted(
                                            Arrays.hashCode(has.entry()),
                                            Arrays.hashCode(most.entry()),
                                            has.term())
                            : "terms %d and %d".formatted(has.term(), most.term());
            disagreements.add(new Disagreement(index, journal, other, what));
        }
    }

    void steppedBack(String journal, long before, long after) {
        note(disorder, "journal %s goes from index %d to %d".formatted(journal, before, after));
    }

    void termFell(long index, long before, long term) {
        note(disorder, "the term falls from %d to %d at index %d".formatted(before, term, index));
    }

    void unreadable(long index, RuntimeException why) {
        note(unreadable, "entry %d cannot be applied: %s".formatted(index, why));
    }

    private static void note(List<String> list, String what) {
        if (list.size() < MOST) {
            list.add(what);
        }
    }

    List<Disagreement> disagreements() {
        return List.copyOf(disagreements);
    }

    List<String> disorder() {
        return List.copyOf(disorder);
    }

    List<String> unreadable() {
        return List.copyOf(unreadable);
    }
}
