package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionSecret;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log with one state machine. After each entry it checks what holds after every entry: tokens
 * grow, and a machine made from the snapshot is equal.
 */
final class TestLog {
    static final long TTL_MILLIS = 10_000;
    private static final ClientMetadata NOBODY = new ClientMetadata("test", "localhost", 1);

    private final Map<LockName, Long> highestTokens = new HashMap<>();
    private LockStateMachine machine;
    private long clockMillis;
    private long secrets;
    private List<Notice> notices = List.of();

    TestLog() {
        this(new LockStateMachine());
    }

    TestLog(LockStateMachine machine) {
        this.machine = machine;
    }

    LockStateMachine machine() {
        return machine;
    }

    /** What the last entry told others. */
    List<Notice> notices() {
        return notices;
    }

    Snapshot snapshot() {
        return machine.snapshot();
    }

    /** Goes on with a machine that was made from a snapshot, as after a restart. */
    void restart() {
        machine = new LockStateMachine(machine.snapshot());
    }

    void advanceMillis(long millis) {
        clockMillis += millis;
    }

    Outcome apply(Command command) {
        return applyEntry(command).get(0);
    }

    List<Outcome> applyEntry(Command... commands) {
        return applyStamped(clockMillis, commands);
    }

    List<Outcome> applyStamped(long stampMillis, Command... commands) {
        long index = machine.appliedIndex() + 1;
        Applied applied = machine.apply(index, new Entry(stampMillis, List.of(commands)));
        notices = List.copyOf(applied.notices());
        assertThat(applied.outcomes()).hasSameSizeAs(commands);
        check();
        return applied.outcomes();
    }

    private void check() {
        Snapshot state = machine.snapshot();
        assertThat(new LockStateMachine(state).snapshot()).isEqualTo(state);
        assertThat(state.locks()).hasSize(machine.holdCount());
        for (LockRecord lock : state.locks()) {
            long token = lock.hold().token();
            assertThat(highestTokens.getOrDefault(lock.name(), 0L)).isLessThanOrEqualTo(token);
            highestTokens.put(lock.name(), token);
        }
    }

    /** Opens a session with a secret of its own. */
    TestSession open() {
        SessionSecret secret = new SessionSecret(7, ++secrets);
        Outcome.SessionOpened opened = (Outcome.SessionOpened) apply(opening(secret, TTL_MILLIS));
        return new TestSession(opened.session(), secret);
    }

    static Command.OpenSession opening(SessionSecret secret, long ttlMillis) {
        return new Command.OpenSession(secret, ttlMillis, NOBODY);
    }

    long token(Command.Acquire acquire) {
        ClaimState state = machine.claimState(acquire.session(), acquire.number());
        return ((ClaimState.Holding) state).hold().token();
    }

    boolean holds(Command.Acquire acquire) {
        return machine.claimState(acquire.session(), acquire.number())
                instanceof ClaimState.Holding;
    }

    boolean waits(Command.Acquire acquire) {
        return machine.claimState(acquire.session(), acquire.number())
                instanceof ClaimState.Waiting;
    }

    boolean isGone(Command.Acquire acquire) {
        return machine.claimState(acquire.session(), acquire.number()) instanceof ClaimState.Gone;
    }
}
