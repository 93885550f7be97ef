package io.raftlock.chaos.ledger;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.Outcome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A request with a number of its session, and every place at which the log has it: a client that
 * had no answer asks again.
 */
public final class NumberedCommand {
    /** What became of it at one position. */
    public record Application(long position, Outcome outcome) {}

    private final Command.Numbered command;
    private final List<Application> applications = new ArrayList<>(1);

    NumberedCommand(Command.Numbered command) {
        this.command = command;
    }

    void add(long position, Outcome outcome) {
        applications.add(new Application(position, outcome));
    }

    public Command.Numbered command() {
        return command;
    }

    public long session() {
        return command.session().value();
    }

    public long number() {
        return command.number();
    }

    /** Returns the places in the log where it stands, in their order; at least one. */
    public List<Application> applications() {
        return Collections.unmodifiableList(applications);
    }

    /** Returns where it stood first, which is where it took its effect if it had one. */
    public Application first() {
        return applications.get(0);
    }

    /** Whether it has been performed: whatever comes under its number now gets its answer. */
    boolean isPerformed() {
        return applications.stream().anyMatch(each -> !isPutOff(each.outcome()));
    }

    private static boolean isPutOff(Outcome outcome) {
        return outcome instanceof Outcome.Refused refused
                && (refused.code() == ErrorCode.TOO_MANY_REQUESTS
                        || refused.code() == ErrorCode.MALFORMED
                        || refused.code() == ErrorCode.SESSION_EXPIRED);
    }

    /** Returns the call that it is for, if it is an acquire that says so; else 0. */
    public long call() {
        return command instanceof Command.Acquire acquire ? callOf(acquire.metadata()) : 0;
    }

    /** Reads the id of a call out of the text that came with its acquire; 0 if there is none. */
    static long callOf(String metadata) {
        try {
            return Long.parseLong(metadata);
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }
}
