package io.raftlock.server.raft;

import com.alipay.sofa.jraft.core.DefaultJRaftServiceFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.impl.LocalRaftMetaStorage;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The engine's storage, which says what is wrong with it when it does not open. The engine itself
 * only says that something is.
 */
final class CheckedStorage extends DefaultJRaftServiceFactory {
    private static final String REBUILD =
            ": do not delete single files; remove the node from the cluster, empty its "
                    + "data directory, and add it again";

    private final DataDirectory data;
    private final Failures failures;
    private @Nullable LogStorage log;

    CheckedStorage(DataDirectory data, Failures failures) {
        this.data = data;
        this.failures = failures;
    }

    @Override
    public LogStorage createLogStorage(String uri, RaftOptions options) {
        LogStorage checked =
                new RocksDBLogStorage(uri, options) {
                    @Override
                    public boolean init(LogStorageOptions init) {
                        return super.init(init)
                                || refuse("the log in " + uri + " is damaged" + REBUILD);
                    }
                };
        log = checked;
        return checked;
    }

    @Override
    public RaftMetaStorage createRaftMetaStorage(String uri, RaftOptions options) {
        return new LocalRaftMetaStorage(uri, options) {
            @Override
            public boolean init(RaftMetaStorageOptions init) {
                if (isForgotten(Path.of(uri))) {
                    return refuse(
                            "the log is there, but the node's vote in "
                                    + uri
                                    + " is not"
                                    + REBUILD);
                }
                return super.init(init)
                        || refuse("the node's vote in " + uri + " cannot be read" + REBUILD);
            }
        };
    }

    /** A node without its vote could vote twice in one term. */
    private boolean isForgotten(Path meta) {
        boolean hasRun = (log != null && log.getLastLogIndex() > 0) || data.hasSnapshot();
        return hasRun && !Files.exists(meta.resolve("raft_meta"));
    }

    private boolean refuse(String what) {
        failures.report(what, new IllegalStateException(what));
        return false;
    }
}
