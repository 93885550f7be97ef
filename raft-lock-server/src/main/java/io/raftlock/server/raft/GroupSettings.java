package io.raftlock.server.raft;

import com.alipay.sofa.jraft.entity.PeerId;

import io.raftlock.server.raft.transport.LinkFaults;
import io.raftlock.server.raft.transport.TransportSecurity;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What makes a node a member of its cluster.
 *
 * @param cluster name of the cluster, different from that of any other cluster in reach
 * @param nodeId which of the members this node is
 * @param members the voters that a new cluster starts with; ignored once the node has a log
 * @param storage where it keeps its log
 * @param network how it is bound, and what guards its connections
 */
public record GroupSettings(
        String cluster,
        String nodeId,
        List<Member> members,
        Storage storage,
        Network network,
        Tuning tuning) {

    /**
     * Where a node keeps what it must not forget.
     *
     * @param directory that belongs to this node alone
     * @param lowBytes of free space, below which the node hands leadership over; 0 for never
     */
    public record Storage(Path directory, long lowBytes) {}

    /**
     * How a node talks to its peers.
     *
     * @param bindHost address to listen on, or empty for the member's own host
     */
    public record Network(String bindHost, TransportSecurity security, LinkFaults faults) {
        public static final Network PLAIN =
                new Network("", TransportSecurity.PLAIN, LinkFaults.NONE);
    }

    public GroupSettings {
        members = List.copyOf(members);
    }

    Member self() throws NodeStartException {
        return members.stream()
                .filter(member -> member.id().equals(nodeId))
                .findFirst()
                .orElseThrow(
                        () ->
                                new NodeStartException(
                                        ("node \"%s\" is not among the members %s: add it "
                                                        + "to them, or correct its id")
                                                .formatted(
                                                        nodeId,
                                                        members.stream()
                                                                .map(Member::id)
                                                                .toList())));
    }

    Optional<Member> memberAt(String raftAddress) {
        return members.stream()
                .filter(member -> member.raftAddress().equals(raftAddress))
                .findFirst();
    }

    List<PeerId> peers() {
        return members.stream().map(Member::peer).toList();
    }

    List<PeerId> others() {
        return members.stream()
                .filter(member -> !member.id().equals(nodeId))
                .map(Member::peer)
                .toList();
    }
}
