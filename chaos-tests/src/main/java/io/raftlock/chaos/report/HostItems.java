package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;

import java.util.ArrayList;
import java.util.List;

/** Blocks for faults and nodes, and marks for what the store did and what else happened. */
final class HostItems {
    static final String STORE = "store";
    static final String NOTES = "sessions, notes";

    private static final int MOST_OF_STORE = 10_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Run run;
    private final List<TimelineItem> items = new ArrayList<>();

    private HostItems(Run run) {
        this.run = run;
    }

    static List<TimelineItem> of(Run run, TimelineChoice choice, List<Event> events) {
        HostItems items = new HostItems(run);
        items.faults(choice);
        run.nodes().forEach(items::node);
        events.stream()
                .filter(event -> event instanceof Event.Stored)
                .filter(event -> choice.shows(moment(event)))
                .limit(MOST_OF_STORE)
                .forEach(event -> items.stored((Event.Stored) event));
        run.rare().stream().filter(event -> choice.shows(moment(event))).forEach(items::note);
        return items.items.stream().filter(item -> choice.shows(item.span())).toList();
    }

    /** The name of a column for faults: those that overlap are in different ones. */
    static String faultColumn(int number) {
        return number == 0 ? "faults" : "faults " + (number + 1);
    }

    private void faults(TimelineChoice choice) {
        List<Long> freeFrom = new ArrayList<>();
        for (FaultSpan fault : run.faults()) {
            if (choice.shows(fault.span())) {
                int column = 0;
                while (column < freeFrom.size()
                        && freeFrom.get(column) > fault.span().fromNanos()) {
                    column++;
                }
                if (column == freeFrom.size()) {
                    freeFrom.add(0L);
                }
                freeFrom.set(column, fault.span().toNanos());
                items.add(fault(fault, faultColumn(column)));
            }
        }
    }

    private TimelineItem fault(FaultSpan fault, String column) {
        String details =
                "step %d: %s of %s%nfrom %s%nto %s%nleader %s, term %d%nproof: %s"
                        .formatted(
                                fault.began().step(),
                                fault.kind(),
                                fault.began().targets(),
                                Texts.exactMoment(run.span(), fault.span().fromNanos()),
                                Texts.exactMoment(run.span(), fault.span().toNanos()),
                                fault.began().leader(),
                                fault.began().term(),
                                fault.isProved() ? fault.proof() : "none");
        String style = "fault " + fault.group().label();
        return TimelineItem.of(column, fault.span(), style, fault.label(), details);
    }

    private void node(NodeRow node) {
        String name = node.node();
        node.up().forEach(span -> add(name, span, "up", "up"));
        node.leads().forEach(lead -> add(name, lead.span(), "leads", "leads, term " + lead.term()));
        node.still().forEach(span -> add(name, span, "still", "paused"));
    }

    private void add(String column, Span span, String style, String what) {
        String details =
                "%s %s%nfrom %s%nto %s"
                        .formatted(
                                column,
                                what,
                                Texts.exactMoment(run.span(), span.fromNanos()),
                                Texts.exactMoment(run.span(), span.toNanos()));
        items.add(TimelineItem.of(column, span, "node " + style, what, details));
    }

    private void stored(Event.Stored stored) {
        boolean isRefused = stored.version() == 0;
        String label =
                "%s %s #%d %s"
                        .formatted(
                                stored.action(),
                                stored.lock(),
                                stored.token(),
                                isRefused ? "refused" : "v" + stored.version());
        String details =
                "%s by %s%nelement %d, based on version %d%n%s"
                        .formatted(
                                label,
                                stored.client(),
                                stored.element(),
                                stored.basedOn(),
                                stored.guarded() ? "tokens are checked" : "tokens are not checked");
        mark(stored, STORE, isRefused ? "mark refused" : "mark", label, details);
    }

    private void note(Event event) {
        if (event instanceof Event.SessionSeen seen) {
            String label = seen.client() + " " + seen.state();
            mark(event, NOTES, "mark", label, "session " + seen.session() + "\n" + seen.detail());
        } else if (event instanceof Event.ClientStarted started) {
            mark(event, NOTES, "mark", started.client() + " starts", started.workload());
        } else if (event instanceof Event.ClientEnded ended) {
            String how = "exit code " + ended.exitCode();
            mark(event, NOTES, "mark", ended.client() + " ends", how);
        } else if (event instanceof Event.PhaseBegan phase) {
            mark(event, NOTES, "mark phase", "phase " + phase.phase(), "");
        } else if (event instanceof Event.MachineStalled stalled) {
            String howLong = Texts.brief(stalled.nanos() / NANOS_PER_SECOND);
            mark(event, NOTES, "mark refused", "machine stalled " + howLong, "" + stalled.what());
        } else if (event instanceof Event.Noted noted) {
            String label = (noted.kind() + " " + noted.where()).strip();
            mark(event, NOTES, "mark", label, noted.text());
        } else if (event instanceof Event.NodeEnded ended && !ended.wanted()) {
            String how = "exit code " + ended.exitCode() + ", not wanted by the run";
            mark(event, NOTES, "mark refused", ended.node() + " ended", how);
        }
    }

    private void mark(Event event, String column, String style, String label, String details) {
        String when = Texts.exactMoment(run.span(), event.atNanos());
        items.add(
                TimelineItem.of(
                        column, moment(event), style, label, label + "\n" + when + "\n" + details));
    }

    private static Span moment(Event event) {
        return new Span(event.atNanos(), event.atNanos());
    }
}
