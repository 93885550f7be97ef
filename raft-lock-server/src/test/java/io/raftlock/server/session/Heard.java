package io.raftlock.server.session;

import java.util.List;

/** Writes down the answers to keep-alives. */
record Heard(List<String> answers) implements KeepAliveReply {
    @Override
    public void alive() {
        answers.add("alive");
    }

    @Override
    public void expired() {
        answers.add("expired");
    }

    @Override
    public void unconfirmed() {
        answers.add("unconfirmed");
    }
}
