package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.Noted;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads of what a session holds are not stale. The client that reads knows what it was told before,
 * so it compares by itself, and notes what it found.
 */
final class ReadCheck implements Check {
    private static final String STALE = "read";
    private static final String COUNT = "reads";
    private static final Pattern NUMBER = Pattern.compile("^\\d{1,15}");

    @Override
    public int invariant() {
        return 2;
    }

    @Override
    public String title() {
        return "reads";
    }

    @Override
    public String description() {
        return "what a session is said to hold is not older than what it was told before";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "reads");
        evidence.history().all(Noted.class).forEach(noted -> look(noted, findings));
        return findings.done();
    }

    private static void look(Noted noted, Findings findings) {
        if (noted.kind().equals(STALE)) {
            findings.look();
            findings.add(
                    "%s read what was not so: %s".formatted(noted.where(), noted.text()),
                    noted.atNanos(),
                    List.of());
        } else if (noted.kind().equals(COUNT)) {
            Matcher number = NUMBER.matcher(noted.text());
            findings.look(number.find() ? Long.parseLong(number.group()) : 0);
        }
    }
}
