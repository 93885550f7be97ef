package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event;

import java.util.List;
import java.util.Set;

/** No node ended of its own accord, and nothing unexpected was found in what the nodes wrote. */
public final class InternalCheck implements Check {
    /** Kind of the notes that say so, which the scan of the nodes' logs makes too. */
    public static final String INTERNAL = "internal";

    /** A client's program had a failure that no call should have. */
    private static final Set<String> KINDS = Set.of(INTERNAL, "unexpected");

    @Override
    public int invariant() {
        return 15;
    }

    @Override
    public String title() {
        return "no internal failure";
    }

    @Override
    public String description() {
        return "no node ends unasked, and no log has a line that the schedule does not explain";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "lives of nodes");
        findings.look(evidence.history().all(Event.NodeStarted.class).count());
        evidence.history()
                .all(Event.NodeEnded.class)
                .filter(ended -> !ended.wanted())
                .forEach(
                        ended ->
                                findings.add(
                                        "%s ended unasked in life %d, with exit code %d"
                                                .formatted(
                                                        ended.node(),
                                                        ended.life(),
                                                        ended.exitCode()),
                                        ended.atNanos(),
                                        List.of()));
        evidence.history()
                .all(Event.Noted.class)
                .filter(noted -> KINDS.contains(noted.kind()))
                .forEach(
                        noted ->
                                findings.add(
                                        "%s: %s".formatted(noted.where(), noted.text()),
                                        noted.atNanos(),
                                        List.of()));
        return findings.done();
    }
}
