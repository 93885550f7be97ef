package io.raftlock.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.admin.AdminPages.Health;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.metrics.ServerMetrics;
import io.raftlock.server.raft.DiskSpace;
import io.raftlock.server.raft.Leadership;
import io.raftlock.server.raft.ReplicatedLog;
import io.raftlock.server.raft.Verdict;

import org.junit.jupiter.api.Test;

import java.util.function.Consumer;
import java.util.function.Function;

class NodePagesTest {
    private static final Leadership LEADS = new Leadership("LEADER", 7, true, "n1");
    private static final Leadership FOLLOWS = new Leadership("FOLLOWER", 7, false, "n2");
    private static final Leadership ALONE = new Leadership("CANDIDATE", 7, false, "");
    private static final DiskSpace ENOUGH = new DiskSpace(5L << 30, false);
    private static final DiskSpace LITTLE = new DiskSpace(12L << 20, true);

    private static Health health(Leadership leadership, DiskSpace disk) {
        return pages(leadership, disk).health();
    }

    private static NodePages pages(Leadership leadership, DiskSpace disk) {
        ReplicatedLog log = new StandingLog(leadership);
        return new NodePages(
                "n1", log, () -> disk, new ServerMetrics(log, disk::freeBytes, () -> 0, () -> 0));
    }

    @Test
    void aNodeThatLeadsOrFollowsServes() {
        assertThat(health(LEADS, ENOUGH)).isEqualTo(new Health(true, "n1 leads in term 7"));
        assertThat(health(FOLLOWS, ENOUGH)).isEqualTo(new Health(true, "n1 follows n2"));
        assertThat(health(ALONE, ENOUGH))
                .isEqualTo(new Health(false, "n1 knows no leader: state CANDIDATE"));
    }

    @Test
    void aNodeWithLittleDiskSpaceServesAndSaysSo() {
        assertThat(health(LEADS, LITTLE))
                .isEqualTo(
                        new Health(
                                true,
                                "n1 leads in term 7; degraded: disk space is low, 12 MiB free"));
        assertThat(health(FOLLOWS, LITTLE).text()).contains("n1 follows n2; degraded");
        assertThat(health(ALONE, LITTLE).isServing()).isFalse();
    }

    @Test
    void freeDiskSpaceIsAMetric() {
        assertThat(pages(FOLLOWS, LITTLE).metrics())
                .contains("raftlock_disk_free_bytes 1.2582912E7");
    }

    /** A log that nothing happens to. */
    private record StandingLog(Leadership leadership) implements ReplicatedLog {
        @Override
        public void propose(Command command, Consumer<Verdict> verdict) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void propose(long term, Command command, Consumer<Verdict> verdict) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void confirmLeadership(Consumer<Boolean> confirmed) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isLeading() {
            return leadership.leading();
        }

        @Override
        public int formatOfAll() {
            return 0;
        }

        @Override
        public <T> T read(Function<LockStateMachine, T> reader) {
            return reader.apply(new LockStateMachine());
        }
    }
}
