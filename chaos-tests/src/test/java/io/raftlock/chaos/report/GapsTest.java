package io.raftlock.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.Result;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class GapsTest {
    private final List<Event> events = new ArrayList<>();
    private long calls;

    @Test
    void theGapOfAFaultIsFromTheLastGrantBeforeToTheFirstAfter() {
        Run run = Run.of(ExampleRun.events());
        Span gap = new Span(ExampleRun.LAST_GRANT_BEFORE, ExampleRun.FIRST_GRANT_AFTER);
        Span kill = run.faults().get(0).span();
        assertThat(run.gaps().longest()).contains(gap);
        assertThat(run.gaps().longestDuring(kill)).contains(gap);
        Span after = new Span(kill.toNanos(), kill.toNanos() + 5_000_000_000L);
        assertThat(run.gaps().longestDuring(after).orElseThrow().nanos())
                .isLessThan(1_000_000_000L);
    }

    @Test
    void aGapThatBeginsWhereATimeEndsIsNotInIt() {
        call(0, 100, Result.OK);
        call(0, 200, Result.OK);
        call(0, 900, Result.OK);
        Gaps gaps = Run.of(events).gaps();
        assertThat(gaps.longestDuring(new Span(100, 200))).contains(new Span(100, 200));
        assertThat(gaps.longestDuring(new Span(100, 201))).contains(new Span(200, 900));
        assertThat(gaps.longestDuring(new Span(300, 300))).contains(new Span(200, 900));
        assertThat(gaps.longestDuring(new Span(900, 950))).isEmpty();
    }

    @Test
    void aGapLastsUntilTheLastAnswerIfNoGrantComesAnyMore() {
        call(0, 100, Result.OK);
        call(50, 1_000, Result.INFO);
        events.add(new Event.Noted(5_000, "setup", "", ""));
        assertThat(Run.of(events).gaps().longest()).contains(new Span(100, 1_000));
    }

    @Test
    void aGapLastsUntilTheEndIfThereIsNoAnswer() {
        call(0, 100, Result.OK);
        events.add(new Event.Invoked(50, 99, "c", 0, Action.LOCK, "a", 0));
        events.add(new Event.Noted(5_000, "setup", "", ""));
        assertThat(Run.of(events).gaps().longest()).contains(new Span(100, 5_000));
    }

    @Test
    void thereIsNoGapBeforeTheBaselineAndInTheFinalPhase() {
        call(0, 10, Result.OK);
        events.add(new Event.PhaseBegan(1_000, Phase.BASELINE));
        call(1_010, 1_020, Result.OK);
        call(1_050, 1_060, Result.OK);
        events.add(new Event.PhaseBegan(1_100, Phase.FINAL));
        call(9_000, 9_010, Result.OK);
        assertThat(Run.of(events).gaps().longest()).contains(new Span(1_020, 1_060));
    }

    @Test
    void onlyAcquiresThatSucceedEndAGap() {
        call(0, 100, Result.OK);
        call(100, 200, Result.FAIL);
        events.add(new Event.Invoked(250, 98, "c", 0, Action.RELEASE, "a", 1));
        events.add(new Event.Returned(300, 98, Result.OK, 0, ""));
        call(300, 400, Result.OK);
        assertThat(Run.of(events).gaps().longest()).contains(new Span(100, 400));
    }

    @Test
    void thereIsNoGapIfNobodyAsks() {
        events.add(new Event.Noted(1, "setup", "", ""));
        events.add(new Event.Noted(100, "setup", "", ""));
        assertThat(Run.of(events).gaps().longest()).isEmpty();
        assertThat(Run.of(List.of()).gaps().longest()).isEmpty();
    }

    private void call(long asked, long answered, Result result) {
        long call = ++calls;
        events.add(new Event.Invoked(asked, call, "c", 0, Action.TRY_LOCK, "a", 0));
        events.add(new Event.Returned(answered, call, result, call, ""));
    }
}
