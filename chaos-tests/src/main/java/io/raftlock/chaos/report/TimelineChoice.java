package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What a page can show of a run that has too much for one.
 *
 * @param numbered the calls by their numbers, in the order in which they were asked
 * @param windows of time, apart from each other and in their order
 * @param findings that are shown, or else what the page is around
 * @param named what the page calls these
 * @param text what is shown and what was left out
 */
record TimelineChoice(
        Map<Long, Call> numbered,
        List<Span> windows,
        List<Finding> findings,
        String named,
        String text) {
    static final int MOST_CALLS = 10_000;
    static final int MOST_FINDINGS = 100;
    static final int CALLS_AROUND_GAP = 2_000;
    static final long AROUND_NANOS = 5_000_000_000L;

    private static final long NEAR_NANOS = 50_000_000;

    /** Returns the time of the page, from the first window to the last. */
    Span whole() {
        return new Span(windows.get(0).fromNanos(), windows.get(windows.size() - 1).toNanos());
    }

    Collection<Call> calls() {
        return numbered.values();
    }

    /** Whether a part of a time is in a window. */
    boolean shows(Span span) {
        int from = 0;
        int to = windows.size();
        while (from < to) {
            int middle = (from + to) / 2;
            if (windows.get(middle).toNanos() < span.fromNanos()) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from < windows.size() && windows.get(from).overlaps(span);
    }

    /** Returns when a finding is: by its own word, or by the first of its calls. */
    long momentNanos(Finding finding) {
        return momentNanos(finding, numbered);
    }

    static TimelineChoice of(Run run, List<Finding> findings) {
        List<Finding> first = findings.stream().limit(MOST_FINDINGS).toList();
        Map<Long, Call> named = named(run, first);
        List<Finding> placed = first.stream().filter(it -> hasMoment(it, named)).toList();
        return placed.isEmpty()
                ? aroundGap(run, findings.isEmpty() ? "No findings." : "No finding has a time.")
                : aroundFindings(run, placed, named, findings.size());
    }

    private static Map<Long, Call> named(Run run, List<Finding> findings) {
        Set<Long> ids = new HashSet<>();
        findings.forEach(finding -> ids.addAll(finding.calls()));
        Map<Long, Call> named = new LinkedHashMap<>();
        for (Call call : run.calls()) {
            if (ids.contains(call.asked().call()) && named.size() < MOST_CALLS) {
                named.put(call.asked().call(), call);
            }
        }
        return named;
    }

    private static boolean hasMoment(Finding finding, Map<Long, Call> named) {
        return finding.atNanos() != 0 || finding.calls().stream().anyMatch(named::containsKey);
    }

    private static long momentNanos(Finding finding, Map<Long, Call> numbered) {
        return finding.atNanos() != 0
                ? finding.atNanos()
                : finding.calls().stream()
                        .filter(numbered::containsKey)
                        .mapToLong(call -> required(numbered, call).asked().atNanos())
                        .min()
                        .orElse(0);
    }

    private static Call required(Map<Long, Call> numbered, long number) {
        return Objects.requireNonNull(numbered.get(number));
    }

    private static TimelineChoice aroundFindings(
            Run run, List<Finding> findings, Map<Long, Call> named, int all) {
        Map<Long, Call> chosen = new LinkedHashMap<>(named);
        List<Span> windows = new ArrayList<>();
        named.values().forEach(call -> windows.add(near(call.span(run.span().toNanos()))));
        int left = 0;
        for (Finding finding : findings) {
            long at = momentNanos(finding, named);
            Span window = new Span(at - AROUND_NANOS, at + AROUND_NANOS);
            if (chosen.size() >= MOST_CALLS) {
                window = near(new Span(at, at));
            }
            windows.add(window);
            List<Call> within = within(run, window, chosen);
            within.stream()
                    .limit(Math.max(0, MOST_CALLS - chosen.size()))
                    .forEach(call -> chosen.put(call.asked().call(), call));
            left +=
                    (int)
                            within.stream()
                                    .filter(c -> !chosen.containsKey(c.asked().call()))
                                    .count();
        }
        String text =
                "Shown: %s of %s calls, those within 5 s of %s of %s findings."
                        .formatted(
                                Texts.count(chosen.size()),
                                Texts.count(run.calls().size()),
                                Texts.count(findings.size()),
                                Texts.count(all));
        String more = left == 0 ? "" : " Left out for room: those farthest from the findings.";
        return new TimelineChoice(
                sorted(chosen), merged(windows), findings, "finding", text + more);
    }

    private static Span near(Span span) {
        return span.wider(NEAR_NANOS, NEAR_NANOS);
    }

    /** Returns the calls that are new and overlap a window, those nearest its middle first. */
    private static List<Call> within(Run run, Span window, Map<Long, Call> known) {
        long middle = window.fromNanos() + window.nanos() / 2;
        long end = run.span().toNanos();
        return run.calls().stream()
                .filter(call -> call.span(end).overlaps(window))
                .filter(call -> !known.containsKey(call.asked().call()))
                .sorted(Comparator.comparingLong(call -> call.span(end).distanceNanos(middle)))
                .toList();
    }

    private static TimelineChoice aroundGap(Run run, String why) {
        Span start = new Span(run.span().fromNanos(), run.span().fromNanos());
        Span middle = mostEventful(run).orElse(start);
        long end = run.span().toNanos();
        Map<Long, Call> chosen = new LinkedHashMap<>();
        run.calls().stream()
                .sorted(
                        Comparator.comparingLong(
                                call -> middle.distanceNanos(call.asked().atNanos())))
                .limit(CALLS_AROUND_GAP)
                .forEach(call -> chosen.put(call.asked().call(), call));
        Span window = middle;
        for (Call call : chosen.values()) {
            long asked = call.asked().atNanos();
            window =
                    new Span(
                            Math.min(window.fromNanos(), asked),
                            Math.max(window.toNanos(), Math.min(end, asked + NEAR_NANOS)));
        }
        String text =
                "%s Shown: the %s of %s calls nearest to the longest gap."
                        .formatted(
                                why, Texts.count(chosen.size()), Texts.count(run.calls().size()));
        String gap = Texts.seconds(middle.seconds()) + " without a lock acquired";
        List<Finding> around = List.of(new Finding(gap, middle.fromNanos(), List.of()));
        return new TimelineChoice(sorted(chosen), List.of(window), around, "gap", text);
    }

    /** Returns the longest gap that a fault can have caused, or of the run if there is none. */
    private static Optional<Span> mostEventful(Run run) {
        return run.faults().stream()
                .flatMap(fault -> run.gaps().longestDuring(fault.span()).stream())
                .max(Comparator.comparingLong(Span::nanos))
                .or(() -> run.gaps().longest());
    }

    private static Map<Long, Call> sorted(Map<Long, Call> calls) {
        Map<Long, Call> sorted = new LinkedHashMap<>();
        calls.values().stream()
                .sorted(Comparator.comparingLong(call -> call.asked().atNanos()))
                .forEach(call -> sorted.put(call.asked().call(), call));
        return sorted;
    }

    private static List<Span> merged(List<Span> windows) {
        List<Span> merged = new ArrayList<>();
        windows.sort(Comparator.comparingLong(Span::fromNanos));
        for (Span window : windows) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).overlaps(window)) {
                long to = Math.max(merged.get(last).toNanos(), window.toNanos());
                merged.set(last, new Span(merged.get(last).fromNanos(), to));
            } else {
                merged.add(window);
            }
        }
        return merged;
    }
}
