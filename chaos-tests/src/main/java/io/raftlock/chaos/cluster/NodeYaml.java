package io.raftlock.chaos.cluster;

import java.nio.file.Path;
import java.util.List;

/** The configuration file of a node. */
public final class NodeYaml {
    private NodeYaml() {}

    /**
     * What a node is told about itself.
     *
     * @param dataDir absolute
     * @param raftAddress where it listens to its peers
     * @param clientAddress where it listens to clients
     * @param adminAddress where it serves metrics
     */
    public record Own(
            String id,
            Path dataDir,
            String raftAddress,
            String clientAddress,
            String adminAddress) {}

    /**
     * What all are told about a node.
     *
     * @param raftAddress where its peers find it
     * @param clientAddress where clients find it
     */
    public record Member(String id, String raftAddress, String clientAddress) {}

    /**
     * Returns the text of the file.
     *
     * @param more further lines, for what is not to be as by default
     */
    public static String of(NodeSpec node, List<NodeSpec> members, List<String> more) {
        return of(
                new Own(
                        node.id(),
                        node.dataDir(),
                        node.raftAddress(),
                        node.clientAddress(),
                        node.adminAddress()),
                members.stream()
                        .map(
                                each ->
                                        new Member(
                                                each.id(),
                                                each.raftAddress(),
                                                each.clientAddress()))
                        .toList(),
                more);
    }

    /**
     * Returns the text of the file for a node that others find elsewhere than it listens.
     *
     * @param more further lines, for what is not to be as by default
     */
    public static String of(Own node, List<Member> members, List<String> more) {
        StringBuilder yaml = new StringBuilder(512);
        line(yaml, "node-id: " + node.id());
        line(yaml, "data-dir: \"" + node.dataDir() + '"');
        line(yaml, "raft-address: " + node.raftAddress());
        line(yaml, "client-address: " + node.clientAddress());
        line(yaml, "admin-address: " + node.adminAddress());
        line(yaml, "members:");
        for (Member member : members) {
            line(yaml, "  - id: " + member.id());
            line(yaml, "    raft: " + member.raftAddress());
            line(yaml, "    client: " + member.clientAddress());
        }
        more.forEach(each -> line(yaml, each));
        return yaml.toString();
    }

    private static void line(StringBuilder yaml, String text) {
        yaml.append(text).append('\n');
    }
}
