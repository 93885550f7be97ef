package io.raftlock.server;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A configuration as it stands in the file: which keys there are, and their text. What the text has
 * to be is up to {@link ConfigLoader} and {@link ServerConfig}.
 */
record ConfigFile(
        @Nullable String nodeId,
        @Nullable String cluster,
        @Nullable String dataDir,
        @Nullable String raftAddress,
        @Nullable String clientAddress,
        @Nullable String adminAddress,
        @Nullable List<@Nullable MemberEntry> members,
        @Nullable SessionEntry session,
        @Nullable LimitsEntry limits,
        @Nullable SnapshotEntry snapshot) {

    record MemberEntry(@Nullable String id, @Nullable String raft, @Nullable String client) {}

    record SessionEntry(@Nullable String minTtl, @Nullable String maxTtl) {}

    record LimitsEntry(
            @Nullable String connections,
            @Nullable String outstandingCommands,
            @Nullable String lowDiskMib) {}

    record SnapshotEntry(@Nullable String interval, @Nullable String margin) {}
}
