package io.raftlock.chaos.report;

import static io.raftlock.chaos.report.ExampleRun.at;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.report.NodeRow.Lead;
import io.raftlock.chaos.schedule.FaultKind;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

class RunTest {
    private final Run run = Run.of(ExampleRun.events());

    @Test
    void aRowTellsWhenItsNodeWasUpLedAndStoodStill() {
        NodeRow killed = run.nodes().get(0);
        assertThat(killed.node()).isEqualTo("n1");
        assertThat(killed.up())
                .containsExactly(new Span(at(0.1), at(12)), new Span(at(16), at(39.5)));
        assertThat(killed.leads()).containsExactly(new Lead("n1", 1, new Span(at(2), at(12))));
        assertThat(killed.still()).isEmpty();
        assertThat(run.nodes().get(2).still()).containsExactly(new Span(at(24), at(26.5)));
    }

    @Test
    void theLeaderChangesWhenANewTermIsSeen() {
        assertThat(run.leaderChanges())
                .extracting(Lead::node, Lead::term, lead -> lead.span().fromNanos())
                .containsExactly(tuple("n1", 1L, at(2)), tuple("n2", 2L, at(13.2)));
    }

    @Test
    void anOldLeaderThatStillSaysSoIsSeenAndIsNoChange() {
        List<Event> events =
                List.of(
                        seen(1, "n1", "LEADER", 1), seen(2, "n2", "LEADER", 2),
                        seen(3, "n1", "LEADER", 1), seen(9, "n1", "FOLLOWER", 2));
        Run split = Run.of(events);
        assertThat(split.nodes().get(0).leads()).containsExactly(new Lead("n1", 1, new Span(1, 9)));
        assertThat(split.leaderChanges()).extracting(Lead::node).containsExactly("n1", "n2");
    }

    @Test
    void faultsHaveTheirTimeAndTheirProof() {
        assertThat(run.faults())
                .extracting(FaultSpan::label, FaultSpan::span, FaultSpan::isProved)
                .containsExactly(
                        tuple("KILL n1", new Span(at(12), at(16)), true),
                        tuple("LOSS 5 hosts", new Span(at(22), at(27)), false),
                        tuple("PAUSE n3", new Span(at(24), at(26.5)), true));
    }

    @Test
    void aFaultWithoutAnEndLastsAsLongAsTheRun() {
        Run cut =
                Run.of(
                        List.of(
                                new Event.FaultBegan(5, 0, "KILL", "n1", "n1", 1),
                                new Event.Noted(70, "setup", "", "")));
        assertThat(cut.faults()).extracting(FaultSpan::span).containsExactly(new Span(5, 70));
    }

    @Test
    void theOrderOfTheEventsIsFreeButForAnswers() {
        List<Event> shuffled = new ArrayList<>(ExampleRun.events());
        shuffled.removeIf(event -> event instanceof Event.Invoked);
        Collections.shuffle(shuffled, new java.util.Random(3));
        ExampleRun.events().stream()
                .filter(event -> event instanceof Event.Invoked)
                .forEach(event -> shuffled.add(0, event));
        Run other = Run.of(shuffled);
        assertThat(other.nodes()).isEqualTo(run.nodes());
        assertThat(other.faults()).isEqualTo(run.faults());
        assertThat(other.gaps().longest()).isEqualTo(run.gaps().longest());
        assertThat(other.calls()).hasSameSizeAs(run.calls());
    }

    @Test
    void everyKindOfFaultHasAGroupAndEveryGroupAKind() {
        assertThat(Arrays.stream(FaultKind.values()).map(FaultGroup::of))
                .contains(FaultGroup.values());
    }

    private static Event seen(long atNanos, String node, String role, long term) {
        return new Event.NodeSeen(atNanos, node, role, term, "", 1, "", 0, 0, 0);
    }
}
