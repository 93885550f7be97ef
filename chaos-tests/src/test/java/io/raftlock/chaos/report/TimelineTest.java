package io.raftlock.chaos.report;

import static io.raftlock.chaos.report.ExampleRun.EARLIER;
import static io.raftlock.chaos.report.ExampleRun.LATER;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilderFactory;

class TimelineTest {
    private final List<Event> events = ExampleRun.events();

    @Test
    void theFirstFindingAndItsCallsAreThere() throws Exception {
        Document page = parsed(page(ExampleRun.failed()));
        assertThat(byId(page, "finding-1")).isPresent();
        for (long call : new long[] {EARLIER, LATER}) {
            Element block = byId(page, "call-" + call).orElseThrow();
            assertThat(block.getAttribute("class")).isEqualTo("op ok found");
            assertThat(block.getAttribute("title")).contains("in finding 1", "by c3-1/0");
            assertThat(links(page)).contains("#call-" + call);
        }
        assertThat(links(page)).contains("#finding-1");
    }

    @Test
    void textOfTheRunIsEscaped() throws Exception {
        String page = page(ExampleRun.failed());
        assertThat(page).doesNotContain("<script>alert").doesNotContain("\u0001");
        Document parsed = parsed(page);
        assertThat(parsed.getElementsByTagName("script").getLength()).isEqualTo(1);
        assertThat(byId(parsed, "call-" + LATER).orElseThrow().getTextContent())
                .contains("<script>alert(\"x\" && 'y')</script>");
    }

    @Test
    void nothingIsFetchedFromElsewhere() throws Exception {
        String page = page(ExampleRun.failed()).replace("http://www.w3.org/1999/xhtml", "");
        assertThat(page).doesNotContain("http").doesNotContain("src=").doesNotContain("<link");
    }

    @Test
    void callsFarFromTheFindingAreLeftOutAndThePageSaysSo() throws Exception {
        Document page = parsed(page(ExampleRun.failed()));
        Run run = Run.of(events);
        long near =
                run.calls().stream()
                        .filter(call -> Math.abs(fromFinding(call)) <= 5_000_000_000L)
                        .count();
        int shown = blocks(page, "op").size();
        assertThat(shown).isGreaterThanOrEqualTo((int) near).isLessThan(run.calls().size());
        assertThat(page.getDocumentElement().getTextContent())
                .contains(
                        "Shown: %,d of %,d calls".formatted(shown, run.calls().size()),
                        "1 of 1 findings");
    }

    @Test
    void faultsNodesTheStoreAndSessionsHaveTheirColumns() throws Exception {
        Document page = parsed(page(ExampleRun.failed()));
        assertThat(blocks(page, "head").stream().map(Element::getTextContent).map(String::strip))
                .containsExactly(
                        "faults",
                        "n1",
                        "n2",
                        "n3",
                        "c3-1/0",
                        "c1-1/0",
                        "c1-1/1",
                        "c1-1/2",
                        "c2-1/0",
                        "c2-1/1",
                        "c2-1/2",
                        "store",
                        "sessions, notes");
        assertThat(blocks(page, "fault kill"))
                .singleElement()
                .satisfies(
                        fault ->
                                assertThat(fault.getAttribute("title"))
                                        .contains("proof: process 101 is gone"));
        assertThat(blocks(page, "mark refused")).hasSize(1);
    }

    @Test
    void aMachineThatStoodStillIsMarked() throws Exception {
        events.add(new Event.MachineStalled(ExampleRun.at(13), Event.Part.DISK, 320_000_000));
        assertThat(blocks(parsed(page(ExampleRun.failed())), "mark refused"))
                .extracting(mark -> mark.getTextContent().strip())
                .contains("machine stalled 320.0 ms");
    }

    @Test
    void withoutFindingsTheCallsAroundTheLongestGapAreShown() throws Exception {
        Document page = parsed(page(ExampleRun.passed()));
        assertThat(blocks(page, "op")).hasSize(TimelineChoice.CALLS_AROUND_GAP);
        assertThat(byId(page, "call-" + EARLIER)).isPresent();
        assertThat(links(page)).containsExactly("#gap-1");
        assertThat(byId(page, "gap-1").orElseThrow().getAttribute("title"))
                .contains("1.26 s without a lock acquired");
    }

    @Test
    void manyFindingsLeaveRoomForTheFirst() {
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding("first", 0, List.of(EARLIER)));
        IntStream.range(0, 500)
                .forEach(
                        at ->
                                findings.add(
                                        new Finding(
                                                "f" + at, ExampleRun.at(5 + at / 20), List.of())));
        Run run = Run.of(ExampleRun.events(20, 0.1));
        TimelineChoice choice = TimelineChoice.of(run, findings);
        assertThat(run.calls().size()).isGreaterThan(TimelineChoice.MOST_CALLS);
        assertThat(choice.calls()).hasSize(TimelineChoice.MOST_CALLS);
        assertThat(choice.findings()).hasSize(TimelineChoice.MOST_FINDINGS);
        assertThat(choice.numbered()).containsKey(EARLIER);
        assertThat(choice.text()).contains("100 of 501 findings", "Left out for room");
    }

    @Test
    void timeBetweenFarWindowsIsLeftOut() throws Exception {
        Finding early = new Finding("early", ExampleRun.at(6), List.of());
        Finding late = new Finding("late", ExampleRun.at(30), List.of());
        Findings two =
                new Findings(
                        "FAILED",
                        List.of(new CheckLine(1, "a", "b", 1, List.of(early, late))),
                        List.of(),
                        List.of(),
                        Map.of());
        Document page = parsed(page(two));
        assertThat(blocks(page, "break"))
                .singleElement()
                .satisfies(gap -> assertThat(gap.getTextContent()).contains("14.00 s left out"));
        assertThat(blocks(page, "line")).hasSize(2);
    }

    @Test
    void aRunWithoutEventsHasAPage() throws Exception {
        events.clear();
        assertThat(parsed(page(ExampleRun.passed())).getDocumentElement().getTagName())
                .isEqualTo("html");
    }

    @Test
    void laterIsNeverHigherAndEachBlockCanBeRead() {
        Run run = Run.of(events);
        TimelineChoice choice = TimelineChoice.of(run, ExampleRun.failed().all());
        List<TimelineItem> items = CallItems.of(run, choice, events);
        TimelineRows rows = new TimelineRows(items, List.of());
        int before = -1;
        for (long moment : rows.moments()) {
            assertThat(rows.top(moment)).isGreaterThan(before);
            before = rows.top(moment);
        }
        for (TimelineItem item : items) {
            int height = rows.top(item.span().toNanos()) - rows.top(item.span().fromNanos());
            assertThat(height).isGreaterThanOrEqualTo(TimelineRows.LEAST_HEIGHT);
        }
    }

    private static long fromFinding(Call call) {
        return call.asked().atNanos() - ExampleRun.at(13.4);
    }

    private String page(Findings findings) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Timeline.write(bytes, Run.of(events), findings, events);
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static Document parsed(String page) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(page.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> blocks(Document page, String style) {
        NodeList all = page.getElementsByTagName("div");
        return IntStream.range(0, all.getLength())
                .mapToObj(at -> (Element) all.item(at))
                .filter(it -> (it.getAttribute("class") + " ").startsWith(style + " "))
                .toList();
    }

    private static List<String> links(Document page) {
        NodeList all = page.getElementsByTagName("a");
        return IntStream.range(0, all.getLength())
                .mapToObj(at -> ((Element) all.item(at)).getAttribute("href"))
                .toList();
    }

    private static Optional<Element> byId(Document page, String id) {
        NodeList all = page.getElementsByTagName("div");
        return IntStream.range(0, all.getLength())
                .mapToObj(at -> (Element) all.item(at))
                .filter(it -> it.getAttribute("id").equals(id))
                .findFirst();
    }
}
