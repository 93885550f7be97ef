package io.raftlock.chaos.ledger;

/**
 * Two journals have different entries at one index, so one of the two nodes applied what was never
 * committed, or lost what was.
 */
public record Disagreement(long index, String journal, String other, String what) {
    @Override
    public String toString() {
        return "at index %d, %s and %s have different entries: %s"
                .formatted(index, journal, other, what);
    }
}
