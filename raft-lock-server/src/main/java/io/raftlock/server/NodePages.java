package io.raftlock.server;

import io.raftlock.server.admin.AdminPages;
import io.raftlock.server.metrics.ServerMetrics;
import io.raftlock.server.raft.DiskSpace;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.ReplicatedLog;

import java.util.function.Supplier;

/** What a node shows to people and their tools. */
final class NodePages implements AdminPages {
    private final String nodeId;
    private final ReplicatedLog log;
    private final Supplier<DiskSpace> disk;
    private final ServerMetrics metrics;

    NodePages(String nodeId, ReplicatedLog log, Supplier<DiskSpace> disk, ServerMetrics metrics) {
        this.nodeId = nodeId;
        this.log = log;
        this.disk = disk;
        this.metrics = metrics;
    }

    @Override
    public String metrics() {
        return metrics.scrape();
    }

    @Override
    public Health health() {
        Leadership leadership = log.leadership();
        if (leadership.leading()) {
            return serving(nodeId + " leads in term " + leadership.term());
        }
        if (leadership.leaderId().isEmpty() || leadership.leaderId().equals(nodeId)) {
            return new Health(false, nodeId + " knows no leader: state " + leadership.role());
        }
        return serving(nodeId + " follows " + leadership.leaderId());
    }

    private Health serving(String text) {
        DiskSpace space = disk.get();
        return new Health(
                true,
                space.isLow()
                        ? "%s; degraded: disk space is low, %s free".formatted(text, space.free())
                        : text);
    }
}
