package io.raftlock.chaos.checker;

import io.raftlock.chaos.history.Event.StoreAction;
import io.raftlock.chaos.history.Event.Stored;
import io.raftlock.chaos.history.RunHistory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The store behind the lock refuses old tokens, and loses no update that it acknowledged. One that
 * does not look at tokens loses some when clients are paused: that is what tokens are for, and such
 * a run has to fail.
 */
public final class FencedStoreCheck implements Check {
    @Override
    public int invariant() {
        return 4;
    }

    @Override
    public String title() {
        return "fenced store";
    }

    @Override
    public String description() {
        return "the store takes no old token and loses no acknowledged update";
    }

    @Override
    public Checked look(Evidence evidence) {
        Findings findings = new Findings(invariant(), "store accesses");
        byLock(evidence.history())
                .forEach(
                        (lock, stored) -> {
                            findings.look(stored.size());
                            checkTokens(lock, stored, evidence, findings);
                            lost(stored).forEach(write -> reportLost(write, findings));
                            checkVersions(stored, findings);
                        });
        return findings.done();
    }

    /** Returns how many acknowledged updates are not part of the last version of their store. */
    public static long lostUpdates(RunHistory history) {
        return byLock(history).values().stream().mapToLong(stored -> lost(stored).size()).sum();
    }

    private static Map<String, List<Stored>> byLock(RunHistory history) {
        Map<String, List<Stored>> byLock = new TreeMap<>();
        history.all(Stored.class)
                .forEach(
                        stored ->
                                byLock.computeIfAbsent(stored.lock(), lock -> new ArrayList<>())
                                        .add(stored));
        return byLock;
    }

    private static void checkTokens(
            String lock, List<Stored> inOrder, Evidence evidence, Findings findings) {
        long highest = 0;
        for (Stored stored : inOrder) {
            if (stored.version() == 0) {
                continue;
            }
            if (stored.token() < highest) {
                report(
                        "the store of %s took token %d of %s after it had seen a higher one",
                        stored, findings);
            }
            if (evidence.ledger().hold(lock, stored.token()) == null) {
                report(
                        "the store of %s took token %d of %s, which nobody was given",
                        stored, findings);
            }
            highest = Math.max(highest, stored.token());
        }
    }

    private static void report(String text, Stored stored, Findings findings) {
        findings.add(
                text.formatted(stored.lock(), stored.token(), stored.client()),
                stored.atNanos(),
                stored.element() == 0 ? List.of() : List.of(stored.element()));
    }

    /** Versions are made one after the other, each once. */
    private static void checkVersions(List<Stored> inOrder, Findings findings) {
        Set<Long> made = new HashSet<>();
        for (Stored write : writes(inOrder)) {
            if (!made.add(write.version()) || write.basedOn() >= write.version()) {
                findings.add(
                        "version %d of the store of %s is made twice, or from a later one"
                                .formatted(write.version(), write.lock()),
                        write.atNanos(),
                        List.of(write.element()));
            }
        }
    }

    private static void reportLost(Stored write, Findings findings) {
        findings.add(
                "the update of %s with token %d (version %d of %s) was acknowledged and is lost"
                        .formatted(write.client(), write.token(), write.version(), write.lock()),
                write.atNanos(),
                List.of(write.element()));
    }

    /** Returns the writes of which the last version is not made. */
    private static List<Stored> lost(List<Stored> stored) {
        List<Stored> writes = writes(stored);
        Map<Long, Stored> byVersion = new HashMap<>();
        writes.forEach(write -> byVersion.put(write.version(), write));
        long version = writes.stream().mapToLong(Stored::version).max().orElse(0);
        Set<Long> kept = new HashSet<>();
        Stored write = byVersion.get(version);
        while (write != null && kept.add(write.version())) {
            write = byVersion.get(write.basedOn());
        }
        return writes.stream().filter(each -> !kept.contains(each.version())).toList();
    }

    private static List<Stored> writes(List<Stored> stored) {
        return stored.stream()
                .filter(each -> each.action() == StoreAction.WRITE && each.version() != 0)
                .toList();
    }
}
