package io.raftlock.server.raft;

import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.option.SnapshotCopierOptions;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotCopier;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotStorage;
import com.alipay.sofa.jraft.storage.snapshot.local.LocalSnapshotWriter;
import com.google.protobuf.Message;

import io.raftlock.server.format.DamagedSnapshotException;
import io.raftlock.server.format.Formats;
import io.raftlock.server.format.FutureFormatException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The engine's snapshots on disk. None that was received takes the place of the node's own before
 * it has been read: a damaged one would be the only one left.
 */
class CheckedSnapshots extends LocalSnapshotStorage {
    private static final Logger LOG = LoggerFactory.getLogger(CheckedSnapshots.class);

    /** The leader sends it again at once, the whole of it. */
    private static final Duration PAUSE_AFTER_DAMAGE = Duration.ofSeconds(1);

    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    private final RaftOptions options;
    private long complainedNanos = System.nanoTime() - BETWEEN_COMPLAINTS.toNanos();

    /** Of the transfer that was begun last, if any. */
    private volatile @Nullable CheckedCopier receiving;

    CheckedSnapshots(String uri, String temporaryUri, RaftOptions options) {
        super(uri, temporaryUri, options);
        this.options = options;
    }

    @Override
    public @Nullable SnapshotWriter create(boolean fromEmpty) {
        SnapshotWriter made = super.create(fromEmpty);
        if (made == null) {
            return null;
        }
        LocalSnapshotWriter checked = new CheckedWriter(made.getPath(), receiving);
        return checked.init(null) ? checked : null;
    }

    @Override
    public @Nullable SnapshotCopier startToCopyFrom(String uri, SnapshotCopierOptions options) {
        CheckedCopier copier = new CheckedCopier();
        copier.setStorage(this);
        if (!copier.init(uri, options)) {
            return null;
        }
        receiving = copier;
        copier.start();
        return copier;
    }

    private boolean isSound(Path received) {
        try {
            SnapshotFile.read(received, Formats.NEWEST);
            return true;
        } catch (FutureFormatException forNewerVersions) {
            // Not damage: what loads it says which version to run.
            return true;
        } catch (IOException | DamagedSnapshotException damage) {
            complain(damage);
            return false;
        }
    }

    private void complain(Exception damage) {
        long now = System.nanoTime();
        if (now - complainedNanos >= BETWEEN_COMPLAINTS.toNanos()) {
            complainedNanos = now;
            LOG.error(
                    "The snapshot that the leader sent is damaged ({}): this node keeps its own"
                            + " state and asks again until it gets a whole one, at the latest from"
                            + " the leader's next snapshot. Do not stop the leader before that",
                    damage.getMessage());
        }
    }

    /** Writes a snapshot that is made here, or one that is received: those come with a meta. */
    private final class CheckedWriter extends LocalSnapshotWriter {
        private final @Nullable CheckedCopier copier;

        CheckedWriter(String path, @Nullable CheckedCopier copier) {
            super(path, CheckedSnapshots.this, options);
            this.copier = copier;
        }

        @Override
        public boolean addFile(String name, @Nullable Message meta) {
            boolean isReceived = meta != null && name.equals(SnapshotFile.NAME);
            return (!isReceived || isAccepted(Path.of(getPath(), name)))
                    && super.addFile(name, meta);
        }

        private boolean isAccepted(Path received) {
            if (copier != null && copier.isCancelled()) {
                // The engine adds what had come of the file until then.
                return false;
            }
            boolean isSound = isSound(received);
            if (!isSound && copier != null) {
                copier.isRejected = true;
            }
            return isSound;
        }
    }

    /** Receives a snapshot. */
    private static final class CheckedCopier extends LocalSnapshotCopier {
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private volatile boolean isRejected;

        boolean isCancelled() {
            return cancelled.getCount() == 0;
        }

        @Override
        public void setError(RaftError error, String format, Object... arguments) {
            // An error of the disk would stop this node, whose disk is well.
            RaftError told = isCancelled() ? RaftError.ECANCELED : error;
            super.setError(isRejected ? RaftError.EAGAIN : told, format, arguments);
        }

        @Override
        public void join() throws InterruptedException {
            super.join();
            if (isRejected) {
                cancelled.await(PAUSE_AFTER_DAMAGE.toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        @Override
        public void cancel() {
            cancelled.countDown();
            super.cancel();
        }
    }
}
