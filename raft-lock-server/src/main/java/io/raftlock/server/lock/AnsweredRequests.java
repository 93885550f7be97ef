package io.raftlock.server.lock;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.ProtocolLimits;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.TreeMap;

/**
 * The answers of one session's requests that the client has not said it has. A request that comes
 * again gets its first answer from here, so it takes effect once.
 */
final class AnsweredRequests {
    private long answeredUpTo;
    private final TreeMap<Long, Outcome> answers = new TreeMap<>();

    AnsweredRequests() {}

    AnsweredRequests(SessionRecord saved) {
        answeredUpTo = saved.answeredUpTo();
        saved.answers().forEach(answer -> answers.put(answer.number(), answer.outcome()));
    }

    long answeredUpTo() {
        return answeredUpTo;
    }

    int size() {
        return answers.size();
    }

    /** Drops the answers that the client has. An older word of the client changes nothing. */
    void acknowledge(long upTo) {
        if (upTo > answeredUpTo) {
            answeredUpTo = upTo;
            answers.headMap(upTo, true).clear();
        }
    }

    /** Returns why or how a request was answered before, or null if it is new. */
    @Nullable Outcome earlier(long number) {
        return number <= answeredUpTo
                ? new Outcome.Refused(ErrorCode.ALREADY_COMPLETED)
                : answers.get(number);
    }

    /** Whether as many answers as one command can add still fit. */
    boolean hasRoom() {
        return answers.size() <= ProtocolLimits.MAX_UNANSWERED_REQUESTS - 2;
    }

    void put(long number, Outcome outcome) {
        answers.put(number, outcome);
    }

    /** Replaces an answer that is still kept by what has become of the request since. */
    void update(long number, Outcome outcome) {
        answers.computeIfPresent(number, (same, before) -> outcome);
    }

    List<SessionRecord.Answer> copy() {
        return answers.entrySet().stream()
                .map(each -> new SessionRecord.Answer(each.getKey(), each.getValue()))
                .toList();
    }
}
