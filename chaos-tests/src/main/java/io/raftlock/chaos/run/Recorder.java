package io.raftlock.chaos.run;

import io.raftlock.chaos.client.WorkloadSpec;
import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.EventLog;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Takes the events of a run, writes them down, and counts. For use by any thread. */
final class Recorder implements Consumer<Event> {
    private final EventLog log;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong complaints = new AtomicLong();
    private final Map<Long, String> callers = new ConcurrentHashMap<>();
    private final Set<String> haveAnswers = ConcurrentHashMap.newKeySet();
    private volatile boolean isSwept;

    Recorder(EventLog log) {
        this.log = log;
    }

    @Override
    public void accept(Event event) {
        if (event instanceof Event.Invoked invoked) {
            callers.put(invoked.call(), invoked.client());
        } else if (event instanceof Event.Returned returned) {
            answered(returned);
        } else if (event instanceof Event.NodeEnded ended && !ended.wanted()) {
            complaints.incrementAndGet();
        } else if (event instanceof Event.Noted noted && noted.kind().equals(WorkloadSpec.SWEPT)) {
            isSwept = true;
        } else if (event instanceof Event.Noted noted && Judge.isComplaint(noted)) {
            complaints.incrementAndGet();
        }
        log.append(event);
    }

    private void answered(Event.Returned returned) {
        answered.incrementAndGet();
        String client = callers.remove(returned.call());
        if (client != null && returned.result() == Event.Result.OK) {
            haveAnswers.add(client);
        }
    }

    /** Returns how many calls came back. */
    long answered() {
        return answered.get();
    }

    /** Returns how many things happened that should not have, as far as one sees at once. */
    long complaints() {
        return complaints.get();
    }

    /** Whether the last client has asked for all locks. */
    boolean hasSwept() {
        return isSwept;
    }

    /** Whether a call of this client has done what it was for. */
    boolean hasAnswered(String client) {
        return haveAnswers.contains(client);
    }
}
