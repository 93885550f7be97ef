package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;

import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A page that shows who did what around the findings: a column for each, time from the top. */
final class Timeline {
    private static final int LABEL_HEIGHT = 18;
    private static final int MOST_LINKS = 12;

    private final Run run;
    private final Findings findings;
    private final TimelineChoice choice;
    private final List<TimelineItem> items;
    private final TimelineColumns columns;
    private final TimelineRows rows;

    private Timeline(Run run, Findings findings, List<Event> events) {
        this.run = run;
        this.findings = findings;
        choice = TimelineChoice.of(run, findings.all());
        items =
                Stream.concat(
                                HostItems.of(run, choice, events).stream(),
                                CallItems.of(run, choice, events).stream())
                        .map(item -> item.within(choice.whole()))
                        .toList();
        columns = TimelineColumns.of(run, choice, items);
        rows = new TimelineRows(items, otherMoments());
    }

    /** Writes the page of a run. */
    static void write(OutputStream out, Run run, Findings findings, List<Event> events)
            throws IOException {
        Timeline timeline = new Timeline(run, findings, events);
        Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
        timeline.page(new Xhtml(writer));
        writer.flush();
    }

    private List<Long> otherMoments() {
        List<Long> moments = new ArrayList<>();
        choice.findings().forEach(finding -> moments.add(moment(finding)));
        choice.windows().forEach(window -> moments.add(window.fromNanos()));
        choice.windows().forEach(window -> moments.add(window.toNanos()));
        return moments;
    }

    private long moment(Finding finding) {
        return choice.momentNanos(finding);
    }

    private void page(Xhtml page) throws IOException {
        page.raw("<!DOCTYPE html>\n");
        page.open("html", "xmlns", "http://www.w3.org/1999/xhtml", "lang", "en");
        page.open("head").empty("meta", "charset", "UTF-8");
        page.leaf("title", "Timeline: " + findings.verdict());
        page.open("style").raw(TimelineLooks.STYLE).close().close();
        page.open("body");
        head(page);
        columnHeads(page);
        grid(page);
        page.open("script").raw(TimelineLooks.SCRIPT).close();
        page.close().close();
    }

    private void head(Xhtml page) throws IOException {
        page.open("header");
        page.leaf("h1", findings.verdict(), "class", "verdict");
        page.leaf("p", choice.text());
        page.open("ol");
        for (int at = 0; at < choice.findings().size(); at++) {
            listed(page, choice.findings().get(at), at + 1);
        }
        page.close();
        page.leaf("p", TimelineLooks.READING);
        page.close();
    }

    private void listed(Xhtml page, Finding finding, int number) throws IOException {
        page.open("li");
        String when = Texts.moment(run.span(), moment(finding));
        page.leaf("a", when, "href", "#" + choice.named() + "-" + number);
        page.text(" " + finding.text() + " ");
        for (long call : finding.calls().stream().limit(MOST_LINKS).toList()) {
            if (choice.numbered().containsKey(call)) {
                page.leaf("a", "call " + call, "href", "#call-" + call);
            }
        }
        page.close();
    }

    private void columnHeads(Xhtml page) throws IOException {
        page.open("div", "class", "heads", "style", "width:" + columns.width() + "px");
        for (String name : columns.names()) {
            String place = columns.place(name);
            page.leaf("div", name, "class", "head", "style", place, "title", name);
        }
        page.close();
    }

    private void grid(Xhtml page) throws IOException {
        String size = "width:%dpx;height:%dpx".formatted(columns.width(), rows.height());
        page.open("div", "class", "grid", "style", size);
        times(page);
        breaks(page);
        for (TimelineItem item : items) {
            if (item.style().startsWith("fault")) {
                page.leaf("div", "", "class", "behind " + item.style(), "style", tall(item));
            }
        }
        for (TimelineItem item : items) {
            block(page, item);
        }
        for (int at = 0; at < choice.findings().size(); at++) {
            line(page, choice.findings().get(at), at + 1);
        }
        page.close();
    }

    private void times(Xhtml page) throws IOException {
        page.open("div", "class", "gutter", "style", "height:" + rows.height() + "px");
        int free = 0;
        for (long moment : rows.moments()) {
            int top = rows.top(moment);
            if (top >= free) {
                String when = Texts.exactMoment(run.span(), moment);
                page.leaf("span", when, "style", "top:" + top + "px");
                free = top + LABEL_HEIGHT;
            }
        }
        page.close();
    }

    private void breaks(Xhtml page) throws IOException {
        for (int at = 1; at < choice.windows().size(); at++) {
            Span between = choice.windows().get(at - 1).until(choice.windows().get(at));
            String text = Texts.seconds(between.seconds()) + " left out";
            String top = "top:" + rows.top(between.fromNanos()) + "px";
            page.leaf("div", text, "class", "break", "style", top);
        }
    }

    private void block(Xhtml page, TimelineItem item) throws IOException {
        String place = columns.place(item.column()) + ";" + tall(item);
        List<String> attributes =
                new ArrayList<>(
                        List.of("class", item.style(), "style", place, "title", item.details()));
        if (!item.anchor().isEmpty()) {
            attributes.addAll(List.of("id", item.anchor()));
        }
        if (!item.lock().isEmpty()) {
            attributes.addAll(List.of("data-lock", item.lock()));
        }
        page.open("div", attributes.toArray(String[]::new));
        page.leaf("span", item.label()).close();
    }

    private void line(Xhtml page, Finding finding, int number) throws IOException {
        String top = "top:" + rows.top(moment(finding)) + "px";
        String text = number + ": " + finding.text();
        String id = choice.named() + "-" + number;
        page.open("div", "class", "line", "id", id, "style", top, "title", text);
        page.leaf("span", choice.named() + " " + number).close();
    }

    private String tall(TimelineItem item) {
        int top = rows.top(item.span().fromNanos());
        int height = Math.max(TimelineRows.LEAST_HEIGHT, rows.top(item.span().toNanos()) - top);
        return "top:%dpx;height:%dpx".formatted(top, height - 1);
    }
}
