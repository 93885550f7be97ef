package io.raftlock.chaos.checker;

/**
 * One thing that a correct lock service cannot have done, in words for whoever reads the report.
 */
public record Violation(String what) {
    @Override
    public String toString() {
        return what;
    }
}
