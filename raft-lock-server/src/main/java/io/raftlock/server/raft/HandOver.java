package io.raftlock.server.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.State;
import com.alipay.sofa.jraft.entity.PeerId;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Hands leadership to another member, and waits until that one has it. */
final class HandOver {
    private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);

    private static final Duration WORD_OF_SUCCESSOR = Duration.ofSeconds(1);

    /**
     * More than a heartbeat: a group that has nothing else to say tells by it what is committed.
     */
    private static final Duration FIRST_ENTRY = Duration.ofMillis(500);

    private static final Duration FIRST_STEPS = Duration.ofMillis(200);

    private final List<PeerId> others;
    private final BooleanSupplier isLedByAnother;

    /**
     * @param isLedByAnother whether this node has heard another member lead
     */
    HandOver(List<PeerId> others, BooleanSupplier isLedByAnother) {
        this.others = List.copyOf(others);
        this.isLedByAnother = isLedByAnother;
    }

    /** Returns true if the node does not lead, and false if nobody took leadership in time. */
    boolean of(Node node, BooleanSupplier deadlinePassed) {
        if (!node.isLeader()) {
            return true;
        }
        // The engine's own choice is the one with the longest log, which may be down.
        return Stream.concat(Stream.of(PeerId.ANY_PEER), others.stream())
                .anyMatch(
                        candidate ->
                                !deadlinePassed.getAsBoolean()
                                        && isAlive(node, candidate)
                                        && to(candidate, node, deadlinePassed));
    }

    /**
     * As {@link #of}, for a node that leaves. It stays until the successor has committed something,
     * and a little longer: it may be the one without whom there is no majority, or the quicker one,
     * and on a machine that they share its leaving takes the time of a successor that runs most of
     * its code for the first time now.
     */
    boolean andSeeOff(Node node, BooleanSupplier deadlinePassed) {
        if (!node.isLeader()) {
            return true;
        }
        long own = node.getLastLogIndex();
        boolean isTaken = of(node, deadlinePassed);
        if (isTaken) {
            Waiting.until(
                    () -> node.getLastCommittedIndex() > own, within(FIRST_ENTRY, deadlinePassed));
            Waiting.until(() -> false, within(FIRST_STEPS, deadlinePassed));
        }
        return isTaken;
    }

    private static BooleanSupplier within(Duration time, BooleanSupplier deadlinePassed) {
        BooleanSupplier timePassed = Waiting.deadlineIn(time);
        return () -> timePassed.getAsBoolean() || deadlinePassed.getAsBoolean();
    }

    /** Whether it has answered within an election timeout: if none has, there is nobody to ask. */
    private static boolean isAlive(Node node, PeerId candidate) {
        try {
            List<PeerId> alive = node.listAlivePeers();
            return candidate.equals(PeerId.ANY_PEER) ? alive.size() > 1 : alive.contains(candidate);
        } catch (IllegalStateException leadsNoMore) {
            return false;
        }
    }

    private boolean to(PeerId candidate, Node node, BooleanSupplier deadlinePassed) {
        Status asked = node.transferLeadershipTo(candidate);
        if (!asked.isOk()) {
            LOG.warn("Leadership cannot be handed over: {}", asked.getErrorMsg());
            return isLedByAnother.getAsBoolean();
        }
        boolean isOver =
                Waiting.until(
                        () -> node.getNodeState() != State.STATE_TRANSFERRING, deadlinePassed);
        // When the candidate does not answer, the engine makes this node lead again, or follow
        // nobody if no other member answers either.
        return isOver
                && !node.isLeader(false)
                && Waiting.until(isLedByAnother, Waiting.deadlineIn(WORD_OF_SUCCESSOR));
    }
}
