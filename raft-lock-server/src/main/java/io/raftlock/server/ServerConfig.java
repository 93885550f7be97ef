package io.raftlock.server;

import static io.raftlock.protocol.ProtocolLimits.MAX_SESSION_TTL_MILLIS;
import static io.raftlock.protocol.ProtocolLimits.MIN_SESSION_TTL_MILLIS;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a node is told about itself and its cluster. An instance is valid: every constructor here
 * throws {@link ConfigException}, naming the key of the file, when a value is not.
 *
 * @param cluster name of the cluster, the same on all its nodes
 * @param dataDir absolute
 * @param raftAddress where this node listens to the other members
 * @param clientAddress where this node listens to clients
 * @param adminAddress where it serves health and metrics over HTTP, if at all
 */
public record ServerConfig(
        String nodeId,
        String cluster,
        Path dataDir,
        HostPort raftAddress,
        HostPort clientAddress,
        Optional<HostPort> adminAddress,
        List<Member> members,
        SessionTtls session,
        Limits limits,
        Snapshots snapshot) {
    public static final String DEFAULT_CLUSTER = "raft-lock";
    public static final int MAX_MEMBERS = 9;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** The engine takes no other group names. */
    private static final Pattern CLUSTER = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

    public ServerConfig {
        members = List.copyOf(members);
        if (!CLUSTER.matcher(cluster).matches()) {
            throw new ConfigException(
                    "cluster",
                    "found \"%s\", expected a letter and then letters, digits, - or _ (at most 64)"
                            .formatted(cluster));
        }
        checkMembership(nodeId, members);
        int raftPort = memberOf(nodeId, members).raft().port();
        if (raftAddress.port() != raftPort) {
            throw new ConfigException(
                    "raft-address",
                    "found port %d, expected %d, where the other members look for this one"
                            .formatted(raftAddress.port(), raftPort));
        }
        if (raftAddress.equals(clientAddress)) {
            throw new ConfigException(
                    "client-address",
                    "found %s, which is the raft address too: give each its own port"
                            .formatted(clientAddress));
        }
        if (adminAddress
                .filter(address -> address.equals(raftAddress) || address.equals(clientAddress))
                .isPresent()) {
            throw new ConfigException(
                    "admin-address",
                    "found %s, which is an address of this node already: give it its own port"
                            .formatted(adminAddress.get()));
        }
        dataDir = dataDir.toAbsolutePath().normalize();
    }

    /** One node of the cluster, as the others and the clients reach it. */
    public record Member(String id, HostPort raft, HostPort client) {}

    /** Bounds of the TTL that a client may ask for. */
    public record SessionTtls(Duration min, Duration max) {
        public static final SessionTtls DEFAULT =
                new SessionTtls(Duration.ofSeconds(1), Duration.ofHours(1));

        public SessionTtls {
            requireTtl("session.min-ttl", min);
            requireTtl("session.max-ttl", max);
            if (min.compareTo(max) > 0) {
                throw new ConfigException(
                        "session.min-ttl",
                        "found %s, expected no more than session.max-ttl, which is %s"
                                .formatted(DurationText.format(min), DurationText.format(max)));
            }
        }

        private static void requireTtl(String key, Duration ttl) {
            requireWithin(
                    key,
                    ttl,
                    Duration.ofMillis(MIN_SESSION_TTL_MILLIS),
                    Duration.ofMillis(MAX_SESSION_TTL_MILLIS));
        }
    }

    /**
     * How much a node takes on at once.
     *
     * @param connections of clients; more are closed at once
     * @param outstandingCommands proposed and not yet applied; over that clients are told to wait
     * @param lowDiskMib free space below which the node hands leadership over; 0 for never
     */
    public record Limits(int connections, int outstandingCommands, int lowDiskMib) {
        public static final Limits DEFAULT = new Limits(10_000, 16_384, 256);
        private static final int MAX_CONNECTIONS = 100_000;
        private static final int MAX_OUTSTANDING_COMMANDS = 65_536;
        private static final int MAX_LOW_DISK_MIB = 1 << 20;

        public Limits {
            requireWithin("limits.connections", connections, 1, MAX_CONNECTIONS);
            requireWithin(
                    "limits.outstanding-commands",
                    outstandingCommands,
                    1,
                    MAX_OUTSTANDING_COMMANDS);
            requireWithin("limits.low-disk-mib", lowDiskMib, 0, MAX_LOW_DISK_MIB);
        }

        long lowDiskBytes() {
            return (long) lowDiskMib << 20;
        }
    }

    /**
     * When a node writes its state down and cuts its log.
     *
     * @param interval in whole seconds
     * @param margin entries that must have been applied since the last snapshot
     */
    public record Snapshots(Duration interval, int margin) {
        public static final Snapshots DEFAULT = new Snapshots(Duration.ofMinutes(5), 1_000);
        private static final int MAX_MARGIN = 100_000_000;

        public Snapshots {
            requireWithin(
                    "snapshot.interval", interval, Duration.ofSeconds(1), Duration.ofHours(24));
            if (interval.toMillis() % 1_000 != 0) {
                throw new ConfigException(
                        "snapshot.interval",
                        "found %s, expected whole seconds"
                                .formatted(DurationText.format(interval)));
            }
            requireWithin("snapshot.margin", margin, 0, MAX_MARGIN);
        }
    }

    /** The entry of this node in the list of members. */
    public Member self() {
        return memberOf(nodeId, members);
    }

    /** What is allowed and yet seldom meant, one line each. */
    public List<String> warnings() {
        int count = members.size();
        if (count == 1) {
            return List.of(
                    "a cluster of 1 member is down whenever its node is, and loses all if the disk"
                            + " is lost: have 3 or 5");
        }
        if (count % 2 == 0) {
            return List.of(
                    "a cluster of %d members survives no more failures than one of %d: have 3 or 5"
                            .formatted(count, count - 1));
        }
        return List.of();
    }

    private static void checkMembers(List<Member> members) {
        if (members.isEmpty() || members.size() > MAX_MEMBERS) {
            throw new ConfigException(
                    "members",
                    "found %d members, expected 1 to %d, best 3 or 5"
                            .formatted(members.size(), MAX_MEMBERS));
        }
        Set<String> ids = new HashSet<>();
        Set<HostPort> addresses = new HashSet<>();
        for (int at = 0; at < members.size(); at++) {
            Member member = members.get(at);
            String key = "members[" + at + "]";
            requireId(key + ".id", member.id());
            if (!ids.add(member.id())) {
                throw new ConfigException(
                        key + ".id",
                        "found \"%s\" a second time, expected each member to have an id of its own"
                                .formatted(member.id()));
            }
            requireOwnAddress(key + ".raft", member.raft(), addresses);
            requireOwnAddress(key + ".client", member.client(), addresses);
        }
    }

    private static void requireOwnAddress(String key, HostPort address, Set<HostPort> taken) {
        if (address.isWildcard()) {
            throw new ConfigException(
                    key,
                    ("found %s, expected an address that others can connect to:"
                                    + " to listen on all interfaces set %s instead")
                            .formatted(
                                    address,
                                    key.endsWith(".raft") ? "raft-address" : "client-address"));
        }
        if (!taken.add(address)) {
            throw new ConfigException(
                    key,
                    "found %s a second time, expected each address to be used once"
                            .formatted(address));
        }
    }

    /** Checks the members by themselves, and that this node is one of them. */
    static void checkMembership(String nodeId, List<Member> members) {
        requireId("node-id", nodeId);
        checkMembers(members);
        List<String> ids = new ArrayList<>();
        members.forEach(member -> ids.add(member.id()));
        if (!ids.contains(nodeId)) {
            throw new ConfigException(
                    "node-id",
                    "found \"%s\", expected the id of one of the members, which are %s"
                            .formatted(nodeId, String.join(", ", ids)));
        }
    }

    static Member memberOf(String nodeId, List<Member> members) {
        return members.stream()
                .filter(member -> member.id().equals(nodeId))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no member " + nodeId));
    }

    private static void requireId(String key, String id) {
        if (!ID.matcher(id).matches()) {
            throw new ConfigException(
                    key,
                    "found \"%s\", expected 1 to 64 letters, digits, ., - or _ such as n1"
                            .formatted(id));
        }
    }

    private static void requireWithin(String key, int value, int min, int max) {
        if (value < min || value > max) {
            throw new ConfigException(
                    key, "found %d, expected a number from %d to %d".formatted(value, min, max));
        }
    }

    private static void requireWithin(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new ConfigException(
                    key,
                    "found %s, expected a duration from %s to %s"
                            .formatted(
                                    DurationText.format(value),
                                    DurationText.format(min),
                                    DurationText.format(max)));
        }
    }
}
