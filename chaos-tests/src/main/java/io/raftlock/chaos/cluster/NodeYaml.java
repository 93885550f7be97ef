package io.raftlock.chaos.cluster;

import java.util.List;

/** The configuration file of a node. */
public final class NodeYaml {
    private NodeYaml() {}

    /**
     * Returns the text of the file.
     *
     * @param more further lines, for what is not to be as by default
     */
    public static String of(NodeSpec node, List<NodeSpec> members, List<String> more) {
        StringBuilder yaml = new StringBuilder(512);
        line(yaml, "node-id: " + node.id());
        line(yaml, "data-dir: \"" + node.dataDir() + '"');
        line(yaml, "raft-address: " + node.raftAddress());
        line(yaml, "client-address: " + node.clientAddress());
        line(yaml, "admin-address: " + node.adminAddress());
        line(yaml, "members:");
        for (NodeSpec member : members) {
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
