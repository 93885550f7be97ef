package io.raftlock.chaos.checker;

import java.util.List;

/**
 * What one check found.
 *
 * @param violations the first ones; one real fault makes very many
 * @param found how many there are in all
 * @param lookedAt how many things were looked at; 0 says that the check says nothing
 * @param of what those things are, for people
 * @param undecided what the check could not tell, in words
 */
public record Checked(
        List<Violation> violations, long found, long lookedAt, String of, List<String> undecided) {
    public Checked {
        violations = List.copyOf(violations);
        undecided = List.copyOf(undecided);
    }

    public boolean passed() {
        return found == 0;
    }

    @Override
    public String toString() {
        return "%s, %,d %s looked at"
                .formatted(passed() ? "passed" : "%,d violations".formatted(found), lookedAt, of);
    }
}
