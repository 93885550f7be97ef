package io.raftlock.server.raft;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.SnapshotStorage;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The engine's storage, which says what is wrong with it when it does not open. The engine itself
 * only says that something is.
 */
final class CheckedStorage extends DefaultJRaftServiceFactory {
    private final DataDirectory data;
    private final Failures failures;
    private @Nullable LogStorage log;

    CheckedStorage(DataDirectory data, Failures failures) {
        this.data = data;
        this.failures = failures;
    }

    @Override
    public LogStorage createLogStorage(String uri, RaftOptions options) {
        LogStorage checked = new CheckedLog(uri, options);
        log = checked;
        return checked;
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
        return new VoteStorage(Path.of(uri), this::hasRun, failures);
    }

    @Override
    public SnapshotStorage createSnapshotStorage(NodeOptions options) {
        String uri = options.getSnapshotUri();
        return new CheckedSnapshots(uri, options.getSnapshotTempUri(), options.getRaftOptions()) {
            @Override
            public boolean init(@Nullable Void nothing) {
                return super.init(null)
                        && (reachesBackTo(getLastSnapshotIndex()) || refuseSnapshot(uri));
            }
        };
    }

    /** The log in RocksDB. */
    private final class CheckedLog extends RocksDBLogStorage {
        private final String uri;
        private final WalRoom room;

        CheckedLog(String uri, RaftOptions options) {
            super(uri, options);
            this.uri = uri;
            this.room = new WalRoom(Path.of(uri));
        }

        @Override
        public boolean init(LogStorageOptions init) {
            // Looked at first: RocksDB writes while it opens, damage or not.
            return isWhole(uri) && (super.init(init) || refuseLog(uri, "see above"));
        }

        @Override
        public boolean appendEntry(LogEntry entry) {
            boolean isWritten = super.appendEntry(entry) || noteUnwritten(uri);
            room.keep();
            return isWritten;
        }

        @Override
        public int appendEntries(List<LogEntry> entries) {
            int written = super.appendEntries(entries);
            if (written < entries.size()) {
                noteUnwritten(uri);
            }
            room.keep();
            return written;
        }

        @Override
        protected byte[] onDataAppend(long index, byte[] entry, WriteContext context)
                throws IOException, InterruptedException {
            room.count(entry.length);
            return super.onDataAppend(index, entry, context);
        }

        /** The files are new, and can have the names of the old. */
        @Override
        protected void onReset(long nextIndex) {
            room.close();
        }

        @Override
        protected void onShutdown() {
            room.close();
        }
    }

    private boolean isWhole(String uri) {
        try {
            WalCheck.Found found = WalCheck.look(Path.of(uri));
            if (found.damage().isPresent()) {
                return refuseLog(uri, found.damage().get());
            }
            found.cutUnfinished();
            return true;
        } catch (IOException unreadable) {
            return refuseLog(uri, unreadable.toString());
        }
    }

    private boolean refuseLog(String uri, String damage) {
        return refuse(
                "the log in %s is damaged (%s), and what this node acknowledged may be lost here: %s"
                        .formatted(uri, damage, DataDirectory.REBUILD));
    }

    /** The log is cut where the snapshot has taken its place. */
    private boolean reachesBackTo(long snapshot) {
        return log == null || log.getFirstLogIndex() <= snapshot + 1;
    }

    private boolean refuseSnapshot(String uri) {
        return refuse(
                "the snapshot that the log goes on from is not in %s: %s"
                        .formatted(uri, DataDirectory.REBUILD));
    }

    private boolean hasRun() {
        return (log != null && log.getLastLogIndex() > 0) || data.hasSnapshot();
    }

    /** The engine stops over it, and does not say why. */
    private boolean noteUnwritten(String uri) {
        String what =
                ("the log in %s cannot be written, see above (%s of disk space free): make room if"
                                + " the disk is full, then start the node again")
                        .formatted(uri, data.freeSpace());
        failures.note(what, new IllegalStateException(what));
        return false;
    }

    private boolean refuse(String what) {
        failures.report(what, new IllegalStateException(what));
        return false;
    }
}
