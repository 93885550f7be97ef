package io.raftlock.server.session;

import io.raftlock.protocol.SessionId;
import io.raftlock.server.lock.Command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The sessions of which the log says, or may say, that they are silent. A next leader gives these
 * no more than the time that they have left. So none of them is told that it lives before the log
 * has taken that back: else a crash in between would end a session whose client relies on it.
 *
 * <p>Owned by the tick thread.
 */
final class Silences {
    /** Bounds how many words of silence are under way at once, and how many of life. */
    static final int MAX_UNDER_WAY = 512;

    private final Proposals proposals;
    private final BiConsumer<SessionId, KeepAliveReply> answer;
    private final Set<SessionId> noted = new HashSet<>();

    /** Keep-alives that wait until the log has taken the silence of their session back. */
    private final Map<SessionId, List<KeepAliveReply>> awaiting = new HashMap<>();

    private final Set<SessionId> unproposed = new LinkedHashSet<>();
    private int silencesUnderWay;
    private int livesUnderWay;

    /**
     * @param answer answers a keep-alive whose session is not noted silent any more
     */
    Silences(Proposals proposals, BiConsumer<SessionId, KeepAliveReply> answer) {
        this.proposals = proposals;
        this.answer = answer;
    }

    /** The log says it of that session already. */
    void known(SessionId session) {
        noted.add(session);
    }

    boolean contains(SessionId session) {
        return noted.contains(session);
    }

    boolean hasRoom() {
        return silencesUnderWay < MAX_UNDER_WAY;
    }

    /** Lets the log say it of a session of which it does not. */
    void note(Command.NoteSilence silence) {
        noted.add(silence.session());
        silencesUnderWay++;
        proposals.propose(silence, result -> silenceEnded(silence.session(), result));
    }

    private void silenceEnded(SessionId session, ProposalResult result) {
        silencesUnderWay--;
        if (result == ProposalResult.NOT_APPENDED && !awaiting.containsKey(session)) {
            noted.remove(session);
        }
    }

    /** The session has been heard: the keep-alive is answered when the log says so. */
    void heard(SessionId session, KeepAliveReply reply) {
        List<KeepAliveReply> replies = awaiting.get(session);
        if (replies == null) {
            replies = new ArrayList<>();
            awaiting.put(session, replies);
            unproposed.add(session);
        }
        replies.add(reply);
        proposeLives();
    }

    private void proposeLives() {
        while (livesUnderWay < MAX_UNDER_WAY && !unproposed.isEmpty()) {
            SessionId next = unproposed.iterator().next();
            unproposed.remove(next);
            livesUnderWay++;
            proposals.propose(new Command.NoteAlive(next), result -> lifeEnded(next, result));
        }
    }

    private void lifeEnded(SessionId session, ProposalResult result) {
        livesUnderWay--;
        List<KeepAliveReply> replies = taken(session);
        if (result == ProposalResult.APPLIED) {
            noted.remove(session);
            replies.forEach(reply -> answer.accept(session, reply));
        } else {
            replies.forEach(KeepAliveReply::unconfirmed);
        }
        proposeLives();
    }

    private List<KeepAliveReply> taken(SessionId session) {
        List<KeepAliveReply> replies = awaiting.remove(session);
        return replies == null ? List.of() : replies;
    }

    void ended(SessionId session) {
        noted.remove(session);
        unproposed.remove(session);
        taken(session).forEach(KeepAliveReply::expired);
    }

    /** The term is over. */
    void end() {
        awaiting.values().forEach(replies -> replies.forEach(KeepAliveReply::unconfirmed));
        awaiting.clear();
    }
}
