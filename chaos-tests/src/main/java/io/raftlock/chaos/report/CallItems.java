package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Blocks for the calls of the page, and for how long what they acquired was held. */
final class CallItems {
    private final Run run;
    private final TimelineChoice choice;
    private final Map<Long, List<Integer>> findings = new TreeMap<>();
    private final Set<Long> grants = new HashSet<>();
    private final Map<Long, Event.Believed> holdsEnd = new HashMap<>();

    private CallItems(Run run, TimelineChoice choice) {
        this.run = run;
        this.choice = choice;
        for (int at = 0; at < choice.findings().size(); at++) {
            for (long call : choice.findings().get(at).calls()) {
                findings.computeIfAbsent(call, any -> new ArrayList<>()).add(at + 1);
            }
        }
    }

    static List<TimelineItem> of(Run run, TimelineChoice choice, List<Event> events) {
        CallItems items = new CallItems(run, choice);
        choice.calls().stream()
                .filter(Call::isGrant)
                .forEach(call -> items.grants.add(call.asked().call()));
        events.forEach(items::seeHold);
        List<TimelineItem> all = new ArrayList<>();
        for (Call call : choice.calls()) {
            items.addHold(call, all);
            all.add(items.block(call));
        }
        return all;
    }

    static String column(Call call) {
        return call.asked().client() + "/" + call.asked().actor();
    }

    private void seeHold(Event event) {
        if (event instanceof Event.Believed believed
                && believed.over()
                && grants.contains(believed.call())) {
            holdsEnd.put(believed.call(), believed);
        }
    }

    private void addHold(Call call, List<TimelineItem> all) {
        Event.Believed end = holdsEnd.get(call.asked().call());
        long acquired = call.span(run.span().toNanos()).toNanos();
        if (end != null && end.atNanos() > acquired) {
            String lock = call.asked().lock();
            Span held = new Span(acquired, end.atNanos());
            all.add(new TimelineItem(column(call), held, "hold", "", lock, "", "holds " + lock));
        }
    }

    private TimelineItem block(Call call) {
        Event.Invoked asked = call.asked();
        String style = "op " + call.result().name().toLowerCase(Locale.ROOT);
        boolean isFound = findings.containsKey(asked.call());
        return new TimelineItem(
                column(call),
                call.span(choice.whole().toNanos()),
                isFound ? style + TimelineItem.FOUND : style,
                "call-" + asked.call(),
                asked.lock(),
                label(call),
                details(call, holdsEnd.get(asked.call())));
    }

    private static String label(Call call) {
        String token = token(call) == 0 ? "" : " #" + token(call);
        String answer =
                call.answer() == null
                        ? "no answer"
                        : call.result() + " " + Texts.brief(call.span(0).seconds());
        return "%s %s%s %s".formatted(call.asked().action(), call.asked().lock(), token, answer);
    }

    private static long token(Call call) {
        return call.answer() == null || call.answer().token() == 0
                ? call.asked().token()
                : call.answer().token();
    }

    private String details(Call call, Event.@Nullable Believed holdEnd) {
        Event.Invoked asked = call.asked();
        List<String> lines = new ArrayList<>();
        lines.add("call %d: %s %s".formatted(asked.call(), asked.action(), asked.lock()));
        lines.add("by " + column(call));
        lines.add("asked " + Texts.exactMoment(run.span(), asked.atNanos()));
        if (asked.token() != 0) {
            lines.add("for token " + asked.token());
        }
        if (call.answer() == null) {
            lines.add("not answered before the run ended");
        } else {
            lines.add("answered " + Texts.exactMoment(run.span(), call.answer().atNanos()));
            lines.add("%s, token %d".formatted(call.result(), call.answer().token()));
            lines.add(call.answer().detail());
        }
        if (holdEnd != null) {
            String how = holdEnd.lost() ? "lost" : "released";
            lines.add(how + " " + Texts.exactMoment(run.span(), holdEnd.atNanos()));
        }
        findings.getOrDefault(asked.call(), List.of())
                .forEach(number -> lines.add("in finding " + number));
        lines.removeIf(String::isEmpty);
        return String.join("\n", lines);
    }
}
