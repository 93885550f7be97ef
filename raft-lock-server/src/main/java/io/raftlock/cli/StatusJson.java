package io.raftlock.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.raftlock.protocol.Response.NodeStatus;

import java.io.UncheckedIOException;

/** A report for programs. */
final class StatusJson {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private StatusJson() {}

    static String render(StatusReport report) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("leader", report.leader().map(NodeStatus::nodeId).orElse(null));
        report.answers().forEach(answer -> write(answer, root.withArray("nodes").addObject()));
        report.differences().forEach(root.putArray("differences")::add);
        try {
            return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void write(Answer answer, ObjectNode node) {
        node.put("address", answer.endpoint().address().toString());
        if (answer instanceof Answer.Down down) {
            node.put("reachable", false);
            node.put("id", answer.endpoint().name());
            node.put("problem", down.why());
            return;
        }
        NodeStatus status = ((Answer.Up) answer).status();
        node.put("reachable", true);
        node.put("id", status.nodeId());
        node.put("role", status.role());
        node.put("term", status.term());
        node.put("leader", status.leaderId());
        node.put("appliedIndex", status.appliedIndex());
        node.put("digest", status.digest());
        node.put("sessions", status.sessions());
        node.put("holds", status.holds());
        node.put("waiters", status.waiters());
    }
}
