package io.raftlock.chaos.history;

import io.raftlock.chaos.history.Event.Invoked;
import io.raftlock.chaos.history.Event.Returned;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts beginnings and ends of calls together, and notes what does not fit. */
final class OperationJoin {
    private final List<String> problems;

    OperationJoin(List<String> problems) {
        this.problems = problems;
    }

    /** Returns the calls in the order in which they began. */
    List<Operation> join(List<Event> inOrder) {
        Map<Long, Invoked> began = new LinkedHashMap<>();
        Map<Long, Returned> ended = new HashMap<>();
        for (Event event : inOrder) {
            if (event instanceof Invoked invoked) {
                note(began.putIfAbsent(invoked.call(), invoked) != null, invoked.call(), "began");
            } else if (event instanceof Returned returned) {
                note(
                        ended.putIfAbsent(returned.call(), returned) != null,
                        returned.call(),
                        "came back");
            }
        }
        List<Operation> operations = new ArrayList<>(began.size());
        began.values()
                .forEach(
                        invoked ->
                                operations.add(
                                        new Operation(invoked, ended.remove(invoked.call()))));
        ended.keySet().forEach(call -> problems.add("call %d came back unasked".formatted(call)));
        operations.forEach(this::checkTimes);
        return List.copyOf(operations);
    }

    private void note(boolean again, long call, String what) {
        if (again) {
            problems.add("call %d %s twice".formatted(call, what));
        }
    }

    private void checkTimes(Operation operation) {
        if (operation.returnedNanos() < operation.invokedNanos()) {
            problems.add("call %d came back before it began".formatted(operation.call()));
        }
    }
}
