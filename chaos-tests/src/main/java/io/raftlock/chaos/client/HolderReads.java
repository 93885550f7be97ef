package io.raftlock.chaos.client;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Response;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * W9: asks by keep-alives what a session holds, and what an ended session is. The answers are reads
 * of the replicated state that must not be stale: one that is not what the session was told before
 * is noted as "read".
 */
final class HolderReads implements Workload {
    private static final int MOST_READS = 3;
    private static final int CYCLES_OF_A_SESSION = 10;

    /** One read in so many asks any node, which may answer nothing, but nothing stale. */
    private static final int READS_OF_THE_LEADER = 3;

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Actor actor;
    private final PlainLocks locks;
    private long agreed;

    HolderReads(Actor actor, Nodes nodes) {
        this.actor = actor;
        this.locks = new PlainLocks(actor, nodes);
    }

    @Override
    public void cycle() {
        actor.pace();
        try {
            NumberedSession session = locks.session();
            Optional<PlainLocks.Plain> taken =
                    locks.acquire(session, actor.anyLock(), PATIENCE_NANOS);
            if (taken.isPresent()) {
                read(session, taken.get());
            }
            if (actor.random().nextInt(CYCLES_OF_A_SESSION) == 0) {
                end(session);
            }
        } catch (UnsettledException e) {
            locks.letGo();
        }
    }

    @Override
    public void letGo() {
        locks.letGo();
        actor.calls().noted("reads", agreed + " agreed with what was told before");
    }

    private void read(NumberedSession session, PlainLocks.Plain taken) throws UnsettledException {
        Holding holding = taken.holding();
        try {
            for (int i = actor.random().nextInt(MOST_READS); i >= 0; i--) {
                expect(session, taken, List.of(holding.token()));
            }
        } finally {
            holding.leave();
        }
        expect(session, taken, List.of());
    }

    /** A release without an answer ends the session, so after a release nothing is held. */
    private void expect(NumberedSession session, PlainLocks.Plain taken, List<Long> tokens)
            throws UnsettledException {
        if (session.isOver()) {
            return;
        }
        List<Long> asked = List.of(taken.number());
        if (actor.random().nextInt(READS_OF_THE_LEADER) > 0) {
            session.keepAlive(asked).ifPresent(alive -> compare(alive, taken, tokens));
        } else if (session.askElsewhere(session.asksFor(asked)).orElse(null)
                instanceof Response.KeptAlive alive) {
            compare(alive, taken, tokens);
        }
    }

    private void compare(Response.KeptAlive alive, PlainLocks.Plain taken, List<Long> tokens) {
        List<Long> held = alive.grants().stream().map(Response.Grant::token).toList();
        boolean gone = alive.gone().contains(taken.number());
        compare(
                held.equals(tokens) && gone == tokens.isEmpty(),
                "%s: expected %s, but held is %s, gone is %s"
                        .formatted(taken.holding().lock(), tokens, held, gone));
    }

    private void end(NumberedSession session) throws UnsettledException {
        if (locks.letGo()) {
            Response answer = session.attach();
            session.disconnect();
            compare(
                    NumberedSession.isRefusedAs(ErrorCode.SESSION_EXPIRED, answer),
                    "attach to a session that was closed: " + answer);
        }
    }

    private void compare(boolean agrees, String otherwise) {
        if (agrees) {
            agreed++;
        } else {
            actor.calls().noted("read", otherwise);
        }
    }
}
