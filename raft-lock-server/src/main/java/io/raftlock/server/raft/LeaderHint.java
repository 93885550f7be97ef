package io.raftlock.server.raft;

import com.alipay.sofa.jraft.entity.PeerId;

import java.util.function.Function;

/**
 * Who leads, as the engine last said. Written by the apply thread, read by any: asking the engine
 * itself could wait for as long as it connects to a peer that is down.
 */
final class LeaderHint {
    record Hint(String leaderId, long term) {}

    private final String self;
    private final Function<String, String> memberAt;
    private volatile Hint hint = new Hint("", 0);

    /**
     * @param memberAt returns the id of the member with that Raft address
     */
    LeaderHint(String self, Function<String, String> memberAt) {
        this.self = self;
        this.memberAt = memberAt;
    }

    Hint now() {
        return hint;
    }

    void selfLeads(long term) {
        hint = new Hint(self, term);
    }

    void leads(PeerId leader, long term) {
        hint = new Hint(memberAt.apply(leader.getEndpoint().toString()), term);
    }

    void nobodyLeads() {
        hint = new Hint("", hint.term());
    }
}
