package io.raftlock.cli;

import io.raftlock.protocol.Response.NodeStatus;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What the nodes of a cluster said, put together. */
record StatusReport(List<Answer> answers) {
    private static final String LEADER = "LEADER";
    private static final List<String> HEADER =
            List.of(
                    "NODE",
                    "ADDRESS",
                    "ROLE",
                    "TERM",
                    "LEADER",
                    "APPLIED",
                    "DIGEST",
                    "SESSIONS",
                    "HOLDS",
                    "WAITERS");

    StatusReport {
        answers = List.copyOf(answers);
    }

    List<NodeStatus> up() {
        return answers.stream()
                .filter(Answer.Up.class::isInstance)
                .map(answer -> ((Answer.Up) answer).status())
                .toList();
    }

    /**
     * The node that leads in the highest term that any node knows of, if one says so and is ready.
     */
    Optional<NodeStatus> leader() {
        List<NodeStatus> up = up();
        long term = up.stream().mapToLong(NodeStatus::term).max().orElse(0);
        return up.stream()
                .filter(status -> status.role().equals(LEADER) && status.term() == term)
                // Right after its election it does not name itself: it has entries to apply first.
                .filter(status -> status.leaderId().equals(status.nodeId()))
                .findFirst();
    }

    /** Says that replicas differ, for each log index at which nodes with equal logs do. */
    List<String> differences() {
        TreeMap<Long, List<NodeStatus>> byIndex = new TreeMap<>();
        up().forEach(
                        status ->
                                byIndex.computeIfAbsent(
                                                status.appliedIndex(), index -> new ArrayList<>())
                                        .add(status));
        return byIndex.values().stream()
                .filter(same -> same.stream().map(NodeStatus::digest).distinct().count() > 1)
                .map(
                        same ->
                                "replicas differ at index %d: %s"
                                        .formatted(
                                                same.get(0).appliedIndex(),
                                                same.stream().map(NodeStatus::nodeId).toList()))
                .toList();
    }

    /** Renders it for people, one line each. */
    List<String> lines() {
        TextTable table =
                new TextTable(HEADER, List.of("TERM", "APPLIED", "SESSIONS", "HOLDS", "WAITERS"));
        for (Answer answer : answers) {
            table.add(cells(answer));
        }
        List<String> lines = new ArrayList<>(table.lines());
        lines.add(summary());
        lines.addAll(differences());
        return lines;
    }

    private static List<String> cells(Answer answer) {
        String address = answer.endpoint().address().toString();
        if (answer instanceof Answer.Down down) {
            String name = answer.endpoint().name();
            return List.of(name.isEmpty() ? "?" : name, address, "UNREACHABLE: " + down.why());
        }
        NodeStatus status = ((Answer.Up) answer).status();
        return List.of(
                status.nodeId(),
                address,
                status.role(),
                Long.toString(status.term()),
                status.leaderId().isEmpty() ? "-" : status.leaderId(),
                Long.toString(status.appliedIndex()),
                status.digest(),
                Integer.toString(status.sessions()),
                Integer.toString(status.holds()),
                Integer.toString(status.waiters()));
    }

    private String summary() {
        return leader().map(node -> "leader: " + node.nodeId() + ", term " + node.term())
                        .orElse("no leader")
                + ", %d of %d nodes answer".formatted(up().size(), answers.size());
    }
}
