package io.raftlock.client;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.Response;

import java.time.Duration;

/** Words for people. */
final class Messages {
    private Messages() {}

    static String of(Response response) {
        return response instanceof Response.Refused refused
                ? refused.code() + " " + refused.message()
                : response.kind().toString();
    }

    static LockRefusedException refusal(LockName name, Response.Refused refused) {
        return new LockRefusedException(
                RefusalCode.of(refused.code()),
                "the cluster refused the lock \"%s\": %s".formatted(name, of(refused)));
    }

    static IllegalStateException closed() {
        return new IllegalStateException(
                "this client is closed; build a new one to go on using locks");
    }

    static LockRefusedException noSession(Response.Refused refused) {
        return new LockRefusedException(
                RefusalCode.of(refused.code()),
                "the cluster refused to open a session, which every lock needs: " + of(refused));
    }

    static OutcomeUnknownException unknownRelease(LockName name) {
        return new OutcomeUnknownException(
                "the client was closed before the cluster said that the lock \"%s\" is released; it is free at the latest when the session's time to live is over"
                        .formatted(name));
    }

    static ClusterUnavailableException unavailable(Duration tried, String nodes) {
        return new ClusterUnavailableException(
                "no node that leads the cluster answered within %s; tried %s; check that a majority of the nodes is up and that the endpoints are right"
                        .formatted(tried, nodes));
    }

    static LockRefusedException tooManyCalls(int most) {
        return new LockRefusedException(
                RefusalCode.BUSY,
                "this client has %d calls that wait for a lock already, the most it may have; call again later"
                        .formatted(most));
    }
}
