package io.raftlock.server.raft;

import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import com.alipay.sofa.jraft.util.StorageOptionsFactory;
import com.alipay.sofa.jraft.util.ThreadPoolsFactory;

import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.WALRecoveryMode;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** What JRaft keeps once for the whole JVM. */
final class Engine {
    private static final int CLOSURE_THREADS = 16;
    private static final int RPC_THREADS = 16;

    /** Frames of votes, reads and the like that wait for a thread; more are refused. */
    private static final int RPC_QUEUE = 1_024;

    private static final long WAL_BYTES = 128L << 20;

    /** RocksDB reserves a little more than this for each WAL file, also for an idle node. */
    private static final long WRITE_BUFFER_BYTES = 16L << 20;

    private static final int INFO_LOGS = 10;
    private static final long INFO_LOG_BYTES = 4L << 20;

    private static final Map<String, ThreadPoolExecutor> CLOSURE_POOLS = new ConcurrentHashMap<>();

    private static boolean isStorageReady;

    static {
        // Read once, when the classes that use them are loaded: it must not have happened yet.
        setDefault("jraft.rpc.closure.threadpool.size.max", "500");
        setDefault("sofa.middleware.log.disable", "true");
        // A pool of timers wakes a second thread for each thing that is due, to wait for the next.
        setDefault("jraft.timer.global_scheduler_workers", "1");
        setDefault("jraft.timer.global_election_timer_workers", "1");
        setDefault("jraft.timer.global_vote_timer_workers", "1");
        setDefault("jraft.timer.global_step_down_timer_workers", "1");
        setDefault("jraft.timer.global_snapshot_timer_workers", "1");
    }

    private Engine() {}

    /**
     * Makes ready what keeps the log. Comes before the first node.
     *
     * @throws NodeStartException if it cannot run here
     */
    static synchronized void prepareStorage() throws NodeStartException {
        if (!isStorageReady) {
            RocksLibrary.load(Path.of(System.getProperty("java.io.tmpdir")));
            registerStorageOptions();
            isStorageReady = true;
        }
    }

    private static void setDefault(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static void registerStorageOptions() {
        DBOptions options = StorageOptionsFactory.getDefaultRocksDBOptions();
        // The default drops all after a damaged place, and with it entries that were acknowledged,
        // without a word. This one refuses to open unless the damage is an unfinished last write.
        options.setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords);
        options.setMaxTotalWalSize(WAL_BYTES);
        options.setKeepLogFileNum(INFO_LOGS);
        options.setMaxLogFileSize(INFO_LOG_BYTES);
        StorageOptionsFactory.registerRocksDBOptions(RocksDBLogStorage.class, options);
        ColumnFamilyOptions family =
                StorageOptionsFactory.getDefaultRocksDBColumnFamilyOptions()
                        .setWriteBufferSize(WRITE_BUFFER_BYTES);
        StorageOptionsFactory.registerRocksDBColumnFamilyOptions(RocksDBLogStorage.class, family);
    }

    /**
     * The threads that run callbacks of the cluster's nodes in this JVM. The engine's own pool has
     * no queue, and one task that it refuses can stop replication for good and leave a hole in the
     * log on disk.
     */
    static ThreadPoolExecutor closures(String cluster) {
        return CLOSURE_POOLS.computeIfAbsent(cluster, Engine::registerClosures);
    }

    private static ThreadPoolExecutor registerClosures(String cluster) {
        ThreadPoolExecutor pool = new EnginePool(CLOSURE_THREADS, daemons("raft-closure"));
        ThreadPoolsFactory.registerThreadPool(cluster, pool);
        return pool;
    }

    /** The threads on which a node handles the messages of its peers that can wait or block. */
    static ThreadPoolExecutor rpc() {
        return pool(RPC_THREADS, new LinkedBlockingQueue<>(RPC_QUEUE), "raft-rpc");
    }

    /** The thread that writes a node's snapshots; at most one is written at a time. */
    static ThreadPoolExecutor snapshots() {
        return pool(1, new LinkedBlockingQueue<>(), "raft-snapshot");
    }

    private static ThreadPoolExecutor pool(
            int threads, LinkedBlockingQueue<Runnable> queue, String name) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        threads, threads, 60, TimeUnit.SECONDS, queue, daemons(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory daemons(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
