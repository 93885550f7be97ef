package io.raftlock.chaos.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockRecord;
import io.raftlock.server.lock.Snapshot;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Whatever the log does, the ledger ends where the state machine that made the log ends. */
class LedgerPropertyTest {
    private static final List<String> LOCKS = List.of("k", "m", "n");

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void theLedgerKnowsWhoHoldsAndWhoWaitsAtTheEnd(@ForAll long seed) {
        Random random = new Random(seed);
        LogFixture log = randomLog(random);
        Ledger ledger = Ledger.of(journals(log, random), Set.of(log.index()));

        Snapshot end = log.state().snapshot();
        assertThat(ledger.disagreements()).isEmpty();
        assertThat(ledger.disorder()).isEmpty();
        assertThat(ledger.oddities()).isEmpty();
        assertThat(ledger.unreadable()).isEmpty();
        assertThat(ledger.digestAt(log.index())).contains(log.digest());
        assertThat(openHolds(ledger)).isEqualTo(holders(end));
        assertThat(openWaits(ledger)).isEqualTo(waiters(end));
        assertThat(
                        ledger.sessions().values().stream()
                                .filter(session -> session.how() == End.NONE)
                                .map(SessionLife::id))
                .containsExactlyElementsOf(
                        end.sessions().stream().map(each -> each.id().value()).toList());
    }

    private static TreeMap<String, Long> openHolds(Ledger ledger) {
        TreeMap<String, Long> tokens = new TreeMap<>();
        ledger.holds()
                .forEach(
                        (lock, holds) ->
                                holds.stream()
                                        .filter(held -> held.how() == End.NONE)
                                        .forEach(held -> tokens.put(lock, held.token())));
        return tokens;
    }

    private static TreeMap<String, Long> holders(Snapshot end) {
        TreeMap<String, Long> tokens = new TreeMap<>();
        end.locks().forEach(lock -> tokens.put(lock.name().value(), lock.hold().token()));
        return tokens;
    }

    private static Set<String> openWaits(Ledger ledger) {
        return ledger.waits().values().stream()
                .flatMap(List::stream)
                .filter(wait -> wait.how() == End.NONE)
                .map(wait -> wait.lock() + wait.session() + "/" + wait.number())
                .collect(Collectors.toSet());
    }

    private static Set<String> waiters(Snapshot end) {
        return end.locks().stream()
                .flatMap(LedgerPropertyTest::waiters)
                .collect(Collectors.toSet());
    }

    private static java.util.stream.Stream<String> waiters(LockRecord lock) {
        return lock.waiters().stream()
                .map(claim -> lock.name().value() + claim.session().value() + "/" + claim.number());
    }

    private static LogFixture randomLog(Random random) {
        LogFixture log = new LogFixture();
        List<SessionId> sessions = new ArrayList<>(List.of(log.open("A"), log.open("B")));
        for (int i = 0; i < 80; i++) {
            if (random.nextInt(10) == 0) {
                sessions.add(log.open("C" + i));
            }
            if (random.nextInt(12) == 0) {
                log.newTerm();
            }
            log.stamp(i * 10L);
            List<Command> batch = new ArrayList<>();
            for (int j = random.nextInt(4); j >= 0; j--) {
                batch.add(command(log, sessions.get(random.nextInt(sessions.size())), random));
            }
            log.append(batch);
        }
        return log;
    }

    private static Command command(LogFixture log, SessionId session, Random random) {
        LockName lock = new LockName(LOCKS.get(random.nextInt(LOCKS.size())));
        long number = 1 + random.nextInt(60);
        long owner = 1 + random.nextInt(3);
        long token =
                log.state().snapshot().locks().stream()
                        .filter(each -> each.name().equals(lock))
                        .map(each -> each.hold().token())
                        .findFirst()
                        .orElse(1L);
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 ->
                    new Command.Acquire(
                            session, number, 0, lock, owner, true, random.nextInt(2) * 30L, "5");
            case 4, 5, 6 -> new Command.Release(session, number, 0, lock, owner, token);
            case 7 -> new Command.CancelAcquire(session, number, 0, 1 + random.nextInt(60));
            case 8 -> new Command.ExpireHold(lock, token);
            default ->
                    log.state()
                            .lastCommand(session)
                            .<Command>map(last -> new Command.ExpireSession(session, last))
                            .orElse(new Command.Stamp());
        };
    }

    /** Nodes that begin late, restart, or go on from a snapshot; one that has it all. */
    private static List<JournalSource> journals(LogFixture log, Random random) {
        long end = log.index();
        long cut = 1 + random.nextInt((int) end);
        long back = 1 + random.nextInt((int) cut);
        return List.of(
                log.journal("n1-1", 1, cut),
                log.journal("n1-2", back, end),
                log.journal("n2-1", cut, end),
                log.journal("n3-1", 1, back),
                log.journal("n3-2", cut, cut));
    }
}
