package io.raftlock.server.net;

import io.raftlock.protocol.Response;

import java.util.function.Consumer;

/** A node n1 that leads, and knows of a node n2. */
final class FakeFacts implements NodeFacts {
    @Override
    public Response welcome() {
        return new Response.Welcome(1, "n1");
    }

    @Override
    public String ownAddress() {
        return "127.0.0.1:7401";
    }

    @Override
    public String addressOfOther(String memberId) {
        return memberId.equals("n2") ? "127.0.0.1:7402" : "";
    }

    @Override
    public boolean allowsTtl(long ttlMillis) {
        return ttlMillis <= 60_000;
    }

    @Override
    public String ttlBounds() {
        return "at most a minute";
    }

    @Override
    public void status(Consumer<Response> answer) {
        answer.accept(new Response.NodeStatus("n1", "LEADER", 1, "n1", 0, "", 0, 0, 0));
    }
}
