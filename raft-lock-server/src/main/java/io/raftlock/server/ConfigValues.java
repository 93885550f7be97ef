package io.raftlock.server;

import io.raftlock.server.ConfigFile.LimitsEntry;
import io.raftlock.server.ConfigFile.MemberEntry;
import io.raftlock.server.ConfigFile.SessionEntry;
import io.raftlock.server.ConfigFile.SnapshotEntry;
import io.raftlock.server.ServerConfig.Limits;
import io.raftlock.server.ServerConfig.Member;
import io.raftlock.server.ServerConfig.SessionTtls;
import io.raftlock.server.ServerConfig.Snapshots;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Turns the text of a configuration file into values, and fills in what is not there. */
final class ConfigValues {
    private static final Function<String, String> TEXT = Function.identity();

    private ConfigValues() {}

    /**
     * Reads and checks all values.
     *
     * @param folder where a relative data directory starts: that of the file, so that a node finds
     *     its data wherever it is started from
     * @throws ConfigException naming the first key with a wrong value
     */
    static ServerConfig of(ConfigFile found, Path folder) {
        String nodeId = required("node-id", found.nodeId(), TEXT);
        String cluster = optional("cluster", found.cluster(), TEXT, ServerConfig.DEFAULT_CLUSTER);
        Path dataDir = required("data-dir", found.dataDir(), folder::resolve);
        List<Member> members = members(found.members());
        ServerConfig.checkMembership(nodeId, members);
        Member self = ServerConfig.memberOf(nodeId, members);
        return new ServerConfig(
                nodeId,
                cluster,
                dataDir,
                optional("raft-address", found.raftAddress(), HostPort::parse, self.raft()),
                optional("client-address", found.clientAddress(), HostPort::parse, self.client()),
                Optional.ofNullable(found.adminAddress())
                        .map(text -> convert("admin-address", text, HostPort::parse)),
                members,
                sessionTtls(found.session()),
                limits(found.limits()),
                snapshots(found.snapshot()));
    }

    private static List<Member> members(@Nullable List<@Nullable MemberEntry> entries) {
        if (entries == null || entries.isEmpty()) {
            throw new ConfigException(
                    "members", "missing, expected a list of all nodes with id, raft and client");
        }
        List<Member> members = new ArrayList<>();
        for (MemberEntry entry : entries) {
            String key = "members[" + members.size() + "]";
            if (entry == null) {
                throw new ConfigException(key, "found nothing, expected id, raft and client");
            }
            members.add(
                    new Member(
                            required(key + ".id", entry.id(), TEXT),
                            required(key + ".raft", entry.raft(), HostPort::parse),
                            required(key + ".client", entry.client(), HostPort::parse)));
        }
        return members;
    }

    private static SessionTtls sessionTtls(@Nullable SessionEntry entry) {
        SessionTtls standard = SessionTtls.DEFAULT;
        return entry == null
                ? standard
                : new SessionTtls(
                        optional(
                                "session.min-ttl",
                                entry.minTtl(),
                                DurationText::parse,
                                standard.min()),
                        optional(
                                "session.max-ttl",
                                entry.maxTtl(),
                                DurationText::parse,
                                standard.max()));
    }

    private static Limits limits(@Nullable LimitsEntry entry) {
        Limits standard = Limits.DEFAULT;
        return entry == null
                ? standard
                : new Limits(
                        optional(
                                "limits.connections",
                                entry.connections(),
                                ConfigValues::number,
                                standard.connections()),
                        optional(
                                "limits.outstanding-commands",
                                entry.outstandingCommands(),
                                ConfigValues::number,
                                standard.outstandingCommands()),
                        optional(
                                "limits.low-disk-mib",
                                entry.lowDiskMib(),
                                ConfigValues::number,
                                standard.lowDiskMib()));
    }

    private static Snapshots snapshots(@Nullable SnapshotEntry entry) {
        Snapshots standard = Snapshots.DEFAULT;
        return entry == null
                ? standard
                : new Snapshots(
                        optional(
                                "snapshot.interval",
                                entry.interval(),
                                DurationText::parse,
                                standard.interval()),
                        optional(
                                "snapshot.margin",
                                entry.margin(),
                                ConfigValues::number,
                                standard.margin()));
    }

    private static Integer number(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException(
                    "found \"%s\", expected a whole number".formatted(text));
        }
        return Integer.valueOf(text);
    }

    private static <T> T required(String key, @Nullable String text, Function<String, T> convert) {
        if (text == null || text.isBlank()) {
            throw new ConfigException(key, "missing, set it");
        }
        return convert(key, text, convert);
    }

    private static <T> T optional(
            String key, @Nullable String text, Function<String, T> convert, T standard) {
        return text == null ? standard : convert(key, text, convert);
    }

    private static <T> T convert(String key, String text, Function<String, T> convert) {
        try {
            return convert.apply(text);
        } catch (IllegalArgumentException wrong) {
            throw new ConfigException(key, String.valueOf(wrong.getMessage()));
        }
    }
}
