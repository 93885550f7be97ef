package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.error.RaftError;

import io.raftlock.protocol.ClientMetadata;
import io.raftlock.protocol.SessionId;
import io.raftlock.protocol.SessionSecret;
import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.Formats;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LogPosition;
import io.raftlock.server.lock.Outcome;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

@Timeout(30)
class ProposerTest {
    private static final Status STEPPED_DOWN = new Status(RaftError.EPERM, "Leader stepped down");

    private static final int OUTSTANDING = 3 * LogPosition.MAX_BATCH;

    private final ExecutorService refusals = Executors.newSingleThreadExecutor();
    private final LinkedBlockingQueue<PendingEntry> appended = new LinkedBlockingQueue<>();
    private final AtomicLong clock = new AtomicLong(100);
    private volatile EntryLog log = (term, bytes, pending) -> appended.add(pending);
    private final Set<Command> onlyQueue = ConcurrentHashMap.newKeySet();
    private final Proposer proposer = proposer(2);

    private Proposer proposer(int entriesInFlight) {
        return new Proposer(
                (term, bytes, pending) -> log.append(term, bytes, pending),
                clock::get,
                onlyQueue::contains,
                refusals,
                new Tuning(1_000, 250, 0, 0, entriesInFlight, OUTSTANDING));
    }

    @AfterEach
    void stop() {
        proposer.end();
        refusals.shutdown();
    }

    private void lead(long term) {
        proposer.leaderStarted(term);
        proposer.start();
    }

    private PendingEntry next() throws InterruptedException {
        PendingEntry entry = appended.poll(10, TimeUnit.SECONDS);
        assertThat(entry).isNotNull();
        return entry;
    }

    private static void apply(PendingEntry entry) {
        entry.applied(Collections.nCopies(entry.size(), new Outcome.Done()));
    }

    private static Command numbered(long number) {
        return new Command.ExpireSession(new SessionId(number), number);
    }

    @Test
    void oneCommandGoesAtOnceAndAlone() throws Exception {
        lead(3);
        Verdicts verdicts = new Verdicts();
        proposer.propose(numbered(1), verdicts.next());
        PendingEntry entry = next();
        assertThat(entry.term()).isEqualTo(3);
        assertThat(entry.entry().commands()).containsExactly(numbered(1));
        assertThat(entry.entry().stampMillis()).isEqualTo(100);
        apply(entry);
        verdicts.awaitAll();
        assertThat(verdicts.given).containsExactly(new Verdict.Done(new Outcome.Done()));
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void whatWaitsWhileTheLogIsBusyGoesTogetherInOrder() throws Exception {
        lead(1);
        Verdicts verdicts = new Verdicts();
        for (int number = 0; number < 100; number++) {
            proposer.propose(numbered(number), verdicts.next());
        }
        List<Command> inOrder = new ArrayList<>();
        int entries = 0;
        while (inOrder.size() < 100) {
            PendingEntry entry = next();
            entries++;
            inOrder.addAll(entry.entry().commands());
            apply(entry);
        }
        assertThat(entries).isLessThan(50);
        for (int number = 0; number < 100; number++) {
            assertThat(inOrder.get(number)).isEqualTo(numbered(number));
        }
        verdicts.awaitAll();
    }

    private void proposeMany(int commands) {
        for (int number = 0; number < commands; number++) {
            proposer.propose(numbered(number), verdict -> {});
        }
    }

    @Test
    void noMoreEntriesAreUnderWayThanAllowed() throws Exception {
        lead(1);
        proposeMany(1);
        PendingEntry first = next();
        proposeMany(EntryPacing.FULL);
        assertThat(next().size()).isEqualTo(EntryPacing.FULL);
        proposeMany(10 * EntryPacing.FULL);
        assertThat(appended.poll(100, TimeUnit.MILLISECONDS)).isNull();
        apply(first);
        assertThat(next().size()).isEqualTo(10 * EntryPacing.FULL);
    }

    @Test
    void fewCommandsWaitForTheEntryThatIsUnderWay() throws Exception {
        lead(1);
        proposeMany(1);
        PendingEntry first = next();
        proposeMany(EntryPacing.FULL - 1);
        assertThat(appended.poll(100, TimeUnit.MILLISECONDS)).isNull();
        apply(first);
        assertThat(next().size()).isEqualTo(EntryPacing.FULL - 1);
    }

    @Test
    void whenThoseWhoAreExpectedDoNotComeTheOthersGo() throws Exception {
        lead(1);
        proposeMany(1);
        PendingEntry first = next();
        proposeMany(EntryPacing.FEW + 1);
        apply(first);
        apply(next());
        proposeMany(1);
        assertThat(next().size()).isEqualTo(1);
    }

    @Test
    void whoOnlyQueuesGoesTogetherWithTheNextWhoDoesMore() throws Exception {
        lead(1);
        onlyQueue.add(numbered(7));
        boolean together = false;
        // A machine that stands still may outlast the patience, but not always.
        for (int round = 0; round < 100 && !together; round++) {
            proposeMany(1);
            apply(next());
            proposer.propose(numbered(7), verdict -> {});
            proposer.propose(numbered(8), verdict -> {});
            PendingEntry entry = next();
            together = entry.entry().commands().equals(List.of(numbered(7), numbered(8)));
            apply(entry);
            if (!together) {
                apply(next());
            }
        }
        assertThat(together).isTrue();
    }

    @Test
    void whoOnlyQueuesGoesAloneIfNobodyComes() throws Exception {
        lead(1);
        proposeMany(1);
        PendingEntry first = next();
        onlyQueue.add(numbered(7));
        apply(first);
        proposer.propose(numbered(7), verdict -> {});
        assertThat(next().entry().commands()).containsExactly(numbered(7));
    }

    @Test
    void whoNeedNotQueueAnyMoreGoesAtOnce() throws Exception {
        lead(1);
        proposeMany(1);
        PendingEntry first = next();
        onlyQueue.add(numbered(7));
        proposer.propose(numbered(7), verdict -> {});
        onlyQueue.clear();
        apply(first);
        assertThat(appended).hasSize(1);
    }

    @Test
    void anEntryIsBoundedInBytes() throws Exception {
        Command large =
                new Command.OpenSession(
                        new SessionSecret(1, 2),
                        1,
                        new ClientMetadata("x".repeat(4_000), "y".repeat(4_000), 1));
        int length = EntryCodec.encode(large).length;
        proposer.leaderStarted(1);
        for (int number = 0; number < 20; number++) {
            proposer.propose(large, verdict -> {});
        }
        proposer.start();
        assertThat(next().size()).isEqualTo(Proposer.MAX_ENTRY_BYTES / length);
    }

    @Test
    void anEntryIsBoundedInCommands() throws Exception {
        proposer.leaderStarted(1);
        for (int number = 0; number < 5_000; number++) {
            proposer.propose(new Command.Stamp(), verdict -> {});
        }
        proposer.start();
        assertThat(next().size()).isEqualTo(4_096);
        assertThat(next().size()).isEqualTo(904);
    }

    @Test
    void commandsOfTwoTermsDoNotShareAnEntry() throws Exception {
        proposer.leaderStarted(2);
        proposer.propose(1, numbered(1), verdict -> {});
        proposer.propose(2, numbered(2), verdict -> {});
        proposer.start();
        PendingEntry first = next();
        assertThat(first.term()).isEqualTo(1);
        apply(first);
        assertThat(next().term()).isEqualTo(2);
    }

    @Test
    void stampsDoNotGoBackInATermButMayInTheNext() throws Exception {
        lead(1);
        proposer.propose(numbered(1), verdict -> {});
        PendingEntry first = next();
        apply(first);
        clock.set(50);
        proposer.propose(numbered(2), verdict -> {});
        PendingEntry second = next();
        apply(second);
        proposer.leaderStarted(2);
        proposer.propose(numbered(3), verdict -> {});
        assertThat(first.entry().stampMillis()).isEqualTo(100);
        assertThat(second.entry().stampMillis()).isEqualTo(100);
        assertThat(next().entry().stampMillis()).isEqualTo(50);
    }

    @Test
    void clientsMeetTheBoundBeforeTheLeaderItselfDoes() {
        proposer.leaderStarted(1);
        Verdicts clients = new Verdicts();
        for (int number = 0; number < OUTSTANDING; number++) {
            proposer.propose(new Command.Stamp(), verdict -> {});
        }
        proposer.propose(new Command.Stamp(), clients.next());
        clients.awaitAll();
        assertThat(clients.given).containsExactly(new Verdict.Busy());
        for (int number = 0; number < Proposer.RESERVED_FOR_LEADER; number++) {
            proposer.propose(1, new Command.Stamp(), verdict -> {});
        }
        Verdicts leader = new Verdicts();
        proposer.propose(1, new Command.Stamp(), leader.next());
        leader.awaitAll();
        assertThat(leader.given).containsExactly(new Verdict.Busy());
        assertThat(proposer.outstanding()).isEqualTo(OUTSTANDING + Proposer.RESERVED_FOR_LEADER);
    }

    @Test
    void aNodeThatDoesNotLeadAppendsNothing() {
        Verdicts verdicts = new Verdicts();
        proposer.propose(new Command.Stamp(), verdicts.next());
        proposer.leaderStarted(1);
        proposer.leaderStopped();
        proposer.propose(new Command.Stamp(), verdicts.next());
        verdicts.awaitAll();
        assertThat(verdicts.given).containsOnly(new Verdict.NotLeader());
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void whatCannotBeEncodedIsTheCallersMistake() {
        lead(1);
        Command tooLong =
                new Command.OpenSession(
                        new SessionSecret(1, 2), 1, new ClientMetadata("x".repeat(5_000), "", 1));
        assertThatThrownBy(() -> proposer.propose(tooLong, verdict -> {}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void aLogThatThrowsDoesNotStopTheProposer() {
        lead(1);
        log =
                (term, bytes, pending) -> {
                    throw new RejectedExecutionException("full");
                };
        Verdicts busy = new Verdicts();
        for (int number = 0; number < 10; number++) {
            proposer.propose(numbered(number), busy.next());
        }
        busy.awaitAll();
        assertThat(busy.given).containsOnly(new Verdict.Busy());
        log =
                (term, bytes, pending) -> {
                    pending.run(new Status(RaftError.ENODESHUTDOWN, "down"));
                    throw new IllegalStateException("down");
                };
        Verdicts down = new Verdicts();
        proposer.propose(numbered(1), down.next());
        down.awaitAll();
        assertThat(down.given).containsOnly(new Verdict.NotLeader());
        log = (term, bytes, pending) -> apply(pending);
        Verdicts done = new Verdicts();
        proposer.propose(numbered(1), done.next());
        done.awaitAll();
        assertThat(done.given).containsOnly(new Verdict.Done(new Outcome.Done()));
    }

    @Test
    void aReceiverThatThrowsHarmsNobodyElse() {
        proposer.leaderStarted(1);
        log = (term, bytes, pending) -> apply(pending);
        Verdicts verdicts = new Verdicts();
        proposer.propose(
                numbered(1),
                verdict -> {
                    throw new IllegalStateException("mine");
                });
        proposer.propose(numbered(2), verdicts.next());
        proposer.start();
        verdicts.awaitAll();
        assertThat(verdicts.given).containsExactly(new Verdict.Done(new Outcome.Done()));
        TestGroup.await(() -> proposer.outstanding() == 0, "nothing is left");
    }

    @Test
    void entriesThatTheLogForgotEndWithTheNextTerm() throws Exception {
        lead(1);
        Verdicts verdicts = new Verdicts();
        proposer.propose(numbered(1), verdicts.next());
        PendingEntry forgotten = next();
        proposer.leaderStarted(1);
        assertThat(verdicts.given).isEmpty();
        proposer.leaderStarted(2);
        verdicts.awaitAll();
        assertThat(verdicts.given.element()).isInstanceOf(Verdict.Unknown.class);
        apply(forgotten);
        forgotten.run(STEPPED_DOWN);
        assertThat(verdicts.given).hasSize(1);
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void atTheEndWhatIsAppendedIsUnknownAndTheRestIsRefused() throws Exception {
        lead(1);
        Verdicts appendedOnes = new Verdicts();
        Verdicts waitingOnes = new Verdicts();
        proposer.propose(numbered(1), appendedOnes.next());
        next();
        for (int number = 0; number < EntryPacing.FULL; number++) {
            proposer.propose(numbered(2), appendedOnes.next());
        }
        next();
        proposer.propose(numbered(3), waitingOnes.next());
        proposer.propose(numbered(4), waitingOnes.next());
        proposer.close();
        Verdicts lateOnes = new Verdicts();
        proposer.propose(numbered(5), lateOnes.next());
        assertThat(proposer.drain(Waiting.deadlineIn(Duration.ofMillis(20)))).isFalse();
        proposer.end();
        proposer.abandon();
        appendedOnes.awaitAll();
        waitingOnes.awaitAll();
        lateOnes.awaitAll();
        assertThat(appendedOnes.given).allMatch(Verdict.Unknown.class::isInstance);
        assertThat(waitingOnes.given).containsOnly(new Verdict.NotLeader());
        assertThat(lateOnes.given).containsOnly(new Verdict.NotLeader());
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void everyProposalGetsOneVerdictWhateverTheLogDoes() throws Exception {
        ExecutorService logThreads = Executors.newFixedThreadPool(3);
        Random random = new Random(42);
        log =
                (term, bytes, pending) -> {
                    assertThat(EntryCodec.decode(ByteBuffer.wrap(bytes), Formats.NEWEST))
                            .isEqualTo(pending.entry());
                    int choice;
                    synchronized (random) {
                        choice = random.nextInt(8);
                    }
                    switch (choice) {
                        case 0 -> throw new RejectedExecutionException("full");
                        case 1 -> throw new IllegalArgumentException("odd");
                        case 2 ->
                                logThreads.execute(
                                        () -> pending.run(new Status(RaftError.EBUSY, "busy")));
                        case 3 ->
                                logThreads.execute(
                                        () ->
                                                pending.run(
                                                        new Status(
                                                                RaftError.EPERM,
                                                                "Is not leader.")));
                        case 4 -> {
                            logThreads.execute(() -> pending.run(STEPPED_DOWN));
                            logThreads.execute(() -> apply(pending));
                        }
                        default -> logThreads.execute(() -> apply(pending));
                    }
                };
        lead(1);
        Verdicts verdicts = new Verdicts();
        List<Thread> callers = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
            Thread thread =
                    new Thread(
                            () -> {
                                for (int number = 0; number < 20_000; number++) {
                                    proposer.propose(numbered(number), verdicts.next());
                                    if (number == 10_000) {
                                        proposer.leaderStarted(2);
                                    }
                                }
                            });
            callers.add(thread);
            thread.start();
        }
        callers.get(0).join();
        proposer.end();
        for (Thread caller : callers) {
            caller.join();
        }
        logThreads.shutdown();
        assertThat(logThreads.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        proposer.abandon();
        verdicts.awaitAll();
        assertThat(proposer.outstanding()).isZero();
    }

    @Test
    void theLogsRefusalsMeanWhatTheyMean() {
        assertThat(verdict(RaftError.EPERM, "Is not leader.")).isEqualTo(new Verdict.NotLeader());
        assertThat(verdict(RaftError.EPERM, "expected_term=3 doesn't match current_term=4"))
                .isEqualTo(new Verdict.NotLeader());
        assertThat(verdict(RaftError.EBUSY, "Is transferring leadership."))
                .isEqualTo(new Verdict.Busy());
        assertThat(verdict(RaftError.EPERM, "Leader stepped down"))
                .isEqualTo(new Verdict.Unknown("Leader stepped down"));
        for (RaftError error :
                List.of(RaftError.ETIMEDOUT, RaftError.ESTATEMACHINE, RaftError.EINTERNAL)) {
            assertThat(verdict(error, "?")).isInstanceOf(Verdict.Unknown.class);
        }
        assertThat(PendingEntry.verdict(Status.OK())).isInstanceOf(Verdict.Unknown.class);
    }

    private static Verdict verdict(RaftError error, String text) {
        return PendingEntry.verdict(new Status(error, "%s", text));
    }

    /** Counts that each receiver is called once. */
    private static final class Verdicts {
        final ConcurrentLinkedQueue<Verdict> given = new ConcurrentLinkedQueue<>();
        private final AtomicInteger expected = new AtomicInteger();
        private final AtomicInteger twice = new AtomicInteger();

        Consumer<Verdict> next() {
            expected.incrementAndGet();
            AtomicInteger calls = new AtomicInteger();
            return verdict -> {
                if (calls.incrementAndGet() > 1) {
                    twice.incrementAndGet();
                }
                given.add(verdict);
            };
        }

        void awaitAll() {
            TestGroup.await(() -> given.size() >= expected.get(), "all verdicts");
            assertThat(given).hasSize(expected.get());
            assertThat(twice.get()).isZero();
        }
    }
}
