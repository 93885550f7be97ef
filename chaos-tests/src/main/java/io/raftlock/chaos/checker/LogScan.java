package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Noted;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds lines in a process's log that no fault of the schedule explains.
 *
 * @param suspicious what a line must not contain
 * @param allowed what makes a suspicious line harmless: found in the line, or from it on into the
 *     next one, after a newline, where an exception has its name
 */
public record LogScan(List<Pattern> suspicious, List<Pattern> allowed) {
    private static final int MOST = 100;
    private static final int LONGEST_LINE = 500;

    /** What is a failure in any program. */
    public static final LogScan DEFAULT =
            new LogScan(
                    List.of(
                            Pattern.compile("(^|[\\s\\[])ERROR([\\s\\]:]|$)"),
                            Pattern.compile("OutOfMemoryError|StackOverflowError"),
                            Pattern.compile("LEAK:"),
                            Pattern.compile("(?i)\\bdeadlock"),
                            Pattern.compile("invariant broken"),
                            Pattern.compile("Exception in thread ")),
                    List.of());

    public LogScan {
        suspicious = List.copyOf(suspicious);
        allowed = List.copyOf(allowed);
    }

    /** Returns a scan that lets lines with any of these pass, too. */
    public LogScan allowing(List<Pattern> also) {
        return new LogScan(suspicious, Stream.concat(allowed.stream(), also.stream()).toList());
    }

    /**
     * Whether the line is suspicious, and nothing allows it.
     *
     * @param next the line after it, empty if there is none
     */
    public boolean finds(String line, String next) {
        return any(suspicious, line) && !any(allowed, line + "\n" + next);
    }

    private static boolean any(List<Pattern> patterns, String line) {
        return patterns.stream().anyMatch(pattern -> pattern.matcher(line).find());
    }

    /**
     * Reads a log, and returns what it finds as notes of internal failures, the first hundred.
     *
     * @param where whose log it is
     * @param atNanos time of the notes, as lines have another clock
     * @throws IOException if the file cannot be read
     */
    public List<Noted> scan(Path log, String where, long atNanos) throws IOException {
        List<Noted> found = new ArrayList<>();
        // Latin: a line that a crash cut within a letter is still a line.
        try (BufferedReader lines = Files.newBufferedReader(log, StandardCharsets.ISO_8859_1)) {
            String line = lines.readLine();
            while (line != null && found.size() < MOST) {
                String next = lines.readLine();
                if (finds(line, next == null ? "" : next)) {
                    String text = line.substring(0, Math.min(line.length(), LONGEST_LINE));
                    found.add(new Noted(atNanos, InternalCheck.INTERNAL, where, text));
                }
                line = next;
            }
        }
        return found;
    }
}
