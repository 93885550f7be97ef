package io.raftlock.chaos.schedule;

/**
 * One fault.
 *
 * @param afterMillis from the beginning of the step before, or of the schedule
 * @param holdMillis for how long it stays
 * @param amount as its kind says, or 0
 * @param pick which of those that the role could mean, by a count that goes round
 */
public record Step(
        int afterMillis, FaultKind kind, Role role, int holdMillis, int amount, int pick) {
    public Step {
        if (!kind.roles().contains(role)) {
            throw new IllegalArgumentException(
                    "%s is for one of %s, but the step has %s".formatted(kind, kind.roles(), role));
        }
        if (afterMillis < 0 || holdMillis < 0) {
            throw new IllegalArgumentException("a step's times are not negative: " + afterMillis);
        }
    }

    /** A step of a kind that has no amount, for the first that the role can mean. */
    public static Step of(int afterMillis, FaultKind kind, Role role, int holdMillis) {
        return new Step(afterMillis, kind, role, holdMillis, 0, 0);
    }

    /** The same step at another time. */
    public Step after(int millis) {
        return new Step(millis, kind, role, holdMillis, amount, pick);
    }

    /** The same step with an amount. */
    public Step amount(int value) {
        return new Step(afterMillis, kind, role, holdMillis, value, pick);
    }

    @Override
    public String toString() {
        return "+%.1f s %s of %s for %.1f s%s"
                .formatted(
                        afterMillis / 1000.0,
                        kind,
                        role,
                        holdMillis / 1000.0,
                        amount == 0 ? "" : ", " + amount);
    }
}
