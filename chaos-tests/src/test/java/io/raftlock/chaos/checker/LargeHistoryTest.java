package io.raftlock.chaos.checker;

import static io.raftlock.chaos.checker.Linearizability.INVALID;
import static io.raftlock.chaos.checker.Linearizability.UNKNOWN;
import static io.raftlock.chaos.checker.Linearizability.VALID;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.checker.MutexOp.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What is right on a few operations can be wrong on many. */
class LargeHistoryTest {
    private static final int COUNT = 12_000;
    private static final long BUDGET = CheckSettings.DEFAULT.wgl().steps();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aLongHistoryWithOpenCallsIsExplainedAndWithOneSwapItIsNot(long seed) {
        List<MutexOp> ops = GeneratedMutex.steps(new Random(seed), COUNT, 5, 3, true);
        assertThat(ops.stream().filter(MutexOp::isOptional).count()).isGreaterThan(200);
        assertThat(Wgl.check(ops, BUDGET)).isEqualTo(VALID);
        assertThat(TokenOrder.check(ops)).isEqualTo(VALID);

        List<MutexOp> swapped = withTwoTokensSwapped(ops, COUNT * 2 / 3);
        assertThat(Wgl.check(swapped, BUDGET)).isEqualTo(INVALID);
        assertThat(TokenOrder.check(swapped)).isEqualTo(INVALID);
    }

    @Test
    void aLongHistoryWithoutNamesIsExplainedAndWithOneSwapItIsNot() {
        List<MutexOp> ops = GeneratedMutex.steps(new Random(4), COUNT, 5, 3, false);
        assertThat(Wgl.check(ops, BUDGET)).isEqualTo(VALID);
        assertThat(Wgl.check(withTwoTokensSwapped(ops, COUNT / 2), BUDGET)).isEqualTo(INVALID);
    }

    @Test
    void openCallsThatBeganLongAgoStayOpen() {
        List<MutexOp> ops = new ArrayList<>();
        ops.add(new MutexOp(Kind.ACQUIRE, 1, 0, 0, Long.MAX_VALUE));
        ops.addAll(GeneratedMutex.steps(new Random(5), COUNT, 5, 0, true));
        // The very first call has its effect at the very end.
        long end = ops.stream().mapToLong(MutexOp::invokedNanos).max().orElseThrow() + 10_000;
        MutexOp last = ops.get(ops.size() - 1);
        MutexOp held = lastHeld(ops);
        if (held != null) {
            ops.add(new MutexOp(Kind.RELEASE, 2, held.token(), end, end + 1));
        }
        ops.add(new MutexOp(Kind.BUSY, 3, 0, end + 10, end + 11));
        assertThat(last).isNotNull();
        assertThat(Wgl.check(ops, BUDGET)).isEqualTo(VALID);
        ops.remove(0);
        assertThat(Wgl.check(ops, BUDGET)).isEqualTo(INVALID);
    }

    @Test
    void aSearchThatIsTooLongSaysSo() {
        List<MutexOp> ops = GeneratedMutex.steps(new Random(6), COUNT, 5, 3, true);
        assertThat(Wgl.check(ops, 1_000)).isEqualTo(UNKNOWN);
    }

    private static MutexOp lastHeld(List<MutexOp> ops) {
        MutexOp held = null;
        for (MutexOp op : ops) {
            if (op.kind() == Kind.ACQUIRE && op.token() != 0) {
                held = op;
            } else if (op.kind() == Kind.RELEASE || op.kind() == Kind.END) {
                held = null;
            }
        }
        return held;
    }

    /** Two grants, far from each other, are told each other's tokens. */
    private static List<MutexOp> withTwoTokensSwapped(List<MutexOp> ops, int from) {
        List<MutexOp> swapped = new ArrayList<>(ops);
        int one = grantFrom(ops, from);
        int two = grantFrom(ops, one + 100);
        swapped.set(one, GeneratedMutex.withToken(ops.get(one), ops.get(two).token()));
        swapped.set(two, GeneratedMutex.withToken(ops.get(two), ops.get(one).token()));
        return swapped;
    }

    private static int grantFrom(List<MutexOp> ops, int from) {
        int at = from;
        while (ops.get(at).kind() != Kind.ACQUIRE || ops.get(at).isOptional()) {
            at++;
        }
        return at;
    }
}
