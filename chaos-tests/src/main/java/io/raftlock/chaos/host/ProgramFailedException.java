package io.raftlock.chaos.host;

import java.util.List;

/** A program could not be started, did not end in time, or said that it failed. */
public final class ProgramFailedException extends IllegalStateException {
    private static final int SHOWN_CHARS = 2_000;

    private final String output;

    ProgramFailedException(List<String> command, String how, String output) {
        super("%s: %s%s".formatted(String.join(" ", command), how, shown(output)));
        this.output = output;
    }

    ProgramFailedException(List<String> command, String how, Throwable cause) {
        super("%s: %s".formatted(String.join(" ", command), how), cause);
        output = "";
    }

    /** Returns what the program wrote, on both its outputs. */
    public String output() {
        return output;
    }

    private static String shown(String output) {
        String text = output.strip();
        String end =
                text.length() > SHOWN_CHARS ? text.substring(text.length() - SHOWN_CHARS) : text;
        return end.isEmpty() ? "" : ": " + end;
    }
}
