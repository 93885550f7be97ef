package io.raftlock.server;

import io.raftlock.server.admin.AdminPages;
import io.raftlock.server.metrics.ServerMetrics;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.ReplicatedLog;

/** What a node shows to people and their tools. */
final class NodePages implements AdminPages {
    private final String nodeId;
    private final ReplicatedLog log;
    private final ServerMetrics metrics;

    NodePages(String nodeId, ReplicatedLog log, ServerMetrics metrics) {
        this.nodeId = nodeId;
        this.log = log;
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
            return new Health(true, nodeId + " leads in term " + leadership.term());
        }
        if (leadership.leaderId().isEmpty() || leadership.leaderId().equals(nodeId)) {
            return new Health(false, nodeId + " knows no leader: state " + leadership.role());
        }
        return new Health(true, nodeId + " follows " + leadership.leaderId());
    }
}
