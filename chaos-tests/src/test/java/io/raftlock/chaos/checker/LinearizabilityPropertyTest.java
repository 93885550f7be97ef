package io.raftlock.chaos.checker;

import static io.raftlock.chaos.checker.Linearizability.INVALID;
import static io.raftlock.chaos.checker.Linearizability.UNKNOWN;
import static io.raftlock.chaos.checker.Linearizability.VALID;
import static io.raftlock.chaos.history.Operation.NEVER;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.LogPlaces.Placed;
import io.raftlock.chaos.checker.MutexOp.Kind;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Invoked;
import io.raftlock.chaos.history.Operation;

import net.jqwik.api.Assume;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.statistics.Statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Three ways to judge a history, and a fourth that is too simple to be wrong. */
class LinearizabilityPropertyTest {
    private static final long STEPS = 200_000;

    @Property(tries = 20_000, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void allOrdersTheSearchAndTheTokensAgree(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 7) int count) {
        Random random = new Random(seed);
        List<MutexOp> ops = GeneratedMutex.steps(random, count, 4, 20, true);
        if (random.nextInt(4) != 0) {
            ops = GeneratedMutex.corrupted(ops, random);
        }
        Linearizability truth = BruteForce.check(ops);
        Statistics.label("truth").collect(truth);
        Statistics.label("truth")
                .coverage(
                        coverage -> {
                            coverage.check(INVALID).percentage(share -> share > 5);
                            coverage.check(VALID).percentage(share -> share > 20);
                        });
        assertThat(Wgl.check(ops, STEPS)).as("search of %s", ops).isEqualTo(truth);
        Linearizability byTokens = TokenOrder.check(ops);
        Statistics.label("tokens").collect(byTokens);
        Statistics.label("tokens")
                .coverage(coverage -> coverage.check(UNKNOWN).percentage(share -> share < 5));
        if (byTokens != UNKNOWN) {
            assertThat(byTokens).as("tokens of %s", ops).isEqualTo(truth);
        }
    }

    @Property(tries = 20_000, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void theSearchAndTheTokensAgreeOnLongerHistories(
            @ForAll long seed, @ForAll @IntRange(min = 8, max = 30) int count) {
        Random random = new Random(seed);
        List<MutexOp> ops = GeneratedMutex.steps(random, count, 3, 15, true);
        if (random.nextBoolean()) {
            ops = GeneratedMutex.corrupted(ops, random);
        }
        Linearizability byTokens = TokenOrder.check(ops);
        if (byTokens != UNKNOWN) {
            assertThat(Wgl.check(ops, STEPS)).as("%s", ops).isEqualTo(byTokens);
        }
    }

    /** Without the holder's name in it, an answer that the lock was taken is one for the search. */
    @Property(tries = 10_000, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void withoutNamesTheTokensRefuseNothingThatIsGood(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 7) int count) {
        Random random = new Random(seed);
        List<MutexOp> ops = GeneratedMutex.steps(random, count, 4, 20, false);
        if (random.nextInt(4) != 0) {
            ops = GeneratedMutex.corrupted(ops, random);
        }
        Linearizability truth = BruteForce.check(ops);
        assertThat(Wgl.check(ops, STEPS)).as("%s", ops).isEqualTo(truth);
        if (truth == VALID) {
            assertThat(TokenOrder.check(ops)).as("%s", ops).isNotEqualTo(INVALID);
        }
    }

    @Property(tries = 20_000, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void whatTheLogExplainsTheSearchExplains(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 20) int count) {
        Random random = new Random(seed);
        List<MutexOp> ops = GeneratedMutex.steps(random, count, 3, 0, random.nextBoolean());
        assertThat(witness(ops)).as("%s", ops).isEqualTo(VALID);
        List<MutexOp> bad = GeneratedMutex.corrupted(ops, random);
        Linearizability bySearch = Wgl.check(bad, STEPS);
        Statistics.label("search").collect(bySearch);
        if (bySearch == INVALID) {
            assertThat(witness(bad)).as("%s", bad).isEqualTo(INVALID);
        }
    }

    /** The order of the list is the order of the log. */
    private static Linearizability witness(List<MutexOp> inOrder) {
        List<Placed> placed = new ArrayList<>();
        MutexState state = MutexState.INITIAL;
        for (int i = 0; i < inOrder.size(); i++) {
            MutexOp op = inOrder.get(i);
            placed.add(new Placed(called(op), i, op.returnedNanos()));
            state = state.after(op);
            if (state == null) {
                return INVALID;
            }
        }
        Findings findings = new Findings(2, "operations");
        LogOrderCheck.checkRealTime(placed, findings);
        return findings.done().passed() ? VALID : INVALID;
    }

    private static Operation called(MutexOp op) {
        return new Operation(
                new Invoked(op.invokedNanos(), op.call(), "A", 1, Action.LOCK, "k", 0), null);
    }

    /** One bound of a good history is broken at a time, and all say so. */
    @Property(tries = 20_000, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
    void aHistoryWithOneBrokenBoundIsRefused(
            @ForAll long seed, @ForAll @IntRange(min = 0, max = 6) int bound) {
        Random random = new Random(seed);
        List<MutexOp> ops = GeneratedMutex.steps(random, 25, 3, 0, true);
        int at = random.nextInt(ops.size());
        Kind needed =
                switch (bound) {
                    case 0, 1, 2 -> Kind.BUSY;
                    case 3 -> Kind.NOT_HELD;
                    case 4, 5 -> Kind.RELEASE;
                    default -> Kind.ACQUIRE;
                };
        Assume.that(ops.get(at).kind() == needed);
        List<MutexOp> broken = new ArrayList<>(ops);
        MutexOp op = ops.get(at);
        MutexOp acquire = find(ops, Kind.ACQUIRE, op.token());
        MutexOp release = find(ops, Kind.RELEASE, op.token());
        Assume.that(acquire != null && release != null);
        MutexOp next = following(ops, op.token());
        MutexOp bad =
                switch (bound) {
                    // Taken by a hold that had not begun, had ended, or never was.
                    case 0 -> before(op, acquire);
                    case 1 -> after(op, release);
                    case 2 -> GeneratedMutex.withToken(op, op.token() + 1);
                    // Refused though the hold was there all the time.
                    case 3 -> within(op, acquire, release);
                    // Released before it was had, or after the next one had it.
                    case 4 -> before(op, acquire);
                    case 5 -> next == null ? null : after(op, next);
                    // Had after it was released.
                    default -> after(op, release);
                };
        Assume.that(bad != null);
        broken.set(at, bad);
        assertThat(TokenOrder.check(broken)).as("%s", broken).isNotEqualTo(VALID);
        assertThat(Wgl.check(broken, STEPS)).as("%s", broken).isEqualTo(INVALID);
        assertThat(witness(broken)).as("%s", broken).isEqualTo(INVALID);
    }

    private static MutexOp find(List<MutexOp> ops, Kind kind, long token) {
        return ops.stream()
                .filter(op -> op.kind() == kind && op.token() == token)
                .findFirst()
                .orElse(null);
    }

    private static MutexOp following(List<MutexOp> ops, long token) {
        return ops.stream()
                .filter(op -> op.kind() == Kind.ACQUIRE && op.token() > token)
                .findFirst()
                .orElse(null);
    }

    private static MutexOp before(MutexOp op, MutexOp other) {
        long end = other.invokedNanos() - 1;
        return GeneratedMutex.timed(op, end - 10, end);
    }

    private static MutexOp after(MutexOp op, MutexOp other) {
        long begin = other.returnedNanos() + 1;
        return GeneratedMutex.timed(op, begin, begin + 10);
    }

    private static MutexOp within(MutexOp op, MutexOp acquire, MutexOp release) {
        long from = acquire.returnedNanos() + 1;
        long to = release.invokedNanos() - 1;
        return from <= to && to != NEVER ? GeneratedMutex.timed(op, from, to) : null;
    }
}
