package io.raftlock.server.raft;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.entity.LeaderChangeContext;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;

import io.raftlock.server.format.EntryCodec;
import io.raftlock.server.format.FutureFormatException;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.Entry;
import io.raftlock.server.lock.Invariant;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Snapshot;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * What the engine calls: feeds the log to the state and tells of it. Every method runs on the
 * engine's apply thread, the one writer of the state, which waits for nothing here.
 */
final class ApplyAdapter extends StateMachineAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ApplyAdapter.class);

    /** Any code but EIO, which would stop the node: a snapshot that failed is tried again. */
    private static final int SNAPSHOT_FAILED = -1;

    private final int newestFormat;
    private final ReplicatedState state;
    private final Proposer proposer;
    private final Audience audience;
    private final LeaderHint leaderHint;
    private final Failures failures;
    private final Snapshots snapshots;

    /**
     * How snapshots come about.
     *
     * @param trigger says when one is due
     * @param request asks the engine for one, and does not wait for it
     * @param writer writes them, off the apply thread
     */
    record Snapshots(SnapshotTrigger trigger, Runnable request, Executor writer) {}

    /**
     * @param newestFormat that this node reads
     */
    ApplyAdapter(
            int newestFormat,
            ReplicatedState state,
            Proposer proposer,
            Audience audience,
            LeaderHint leaderHint,
            Failures failures,
            Snapshots snapshots) {
        this.newestFormat = newestFormat;
        this.state = state;
        this.proposer = proposer;
        this.audience = audience;
        this.leaderHint = leaderHint;
        this.failures = failures;
        this.snapshots = snapshots;
    }

    // -- entries

    @Override
    public void onApply(Iterator entries) {
        if (failures.any()) {
            throw new IllegalStateException("nothing is applied after a failure");
        }
        while (entries.hasNext()) {
            applyOne(entries);
            entries.next();
        }
        audience.tell(LogListener::batchEnded);
        if (snapshots.trigger().isDue(state.read(ApplyAdapter::records))) {
            snapshots.request().run();
        }
    }

    private static long records(LockStateMachine machine) {
        return (long) machine.sessionCount() + machine.holdCount() + machine.waiterCount();
    }

    private void applyOne(Iterator entries) {
        long index = entries.getIndex();
        try {
            if (entries.done() instanceof PendingEntry pending) {
                Applied applied = state.apply(index, pending.entry());
                audience.show(entries);
                pending.applied(applied.outcomes());
                applied(index, applied);
            } else {
                Entry entry = EntryCodec.decode(entries.getData(), newestFormat);
                Applied applied = state.apply(index, entry);
                audience.show(entries);
                applied(index, applied);
            }
        } catch (FutureFormatException future) {
            failures.report(
                    "entry %d cannot be applied: %s".formatted(index, future.getMessage()), future);
            throw future;
        } catch (Throwable broken) {
            // Going on would let this replica differ from the others.
            failures.report("entry %d cannot be applied".formatted(index), broken);
            throw broken;
        }
    }

    private void applied(long index, Applied applied) {
        snapshots.trigger().applied(applied.outcomes().size());
        audience.tell(told -> told.applied(index, applied));
    }

    // -- leadership

    @Override
    public void onLeaderStart(long term) {
        Snapshot now = state.snapshot();
        // The listener comes first: its clock has to be set when the first entry is stamped.
        audience.tell(told -> told.leaderStarted(term, now));
        leaderHint.selfLeads(term);
        proposer.leaderStarted(term);
        audience.tell(LogListener::leaderReady);
    }

    @Override
    public void onLeaderStop(Status status) {
        proposer.leaderStopped();
        leaderHint.nobodyLeads();
        audience.tell(LogListener::leaderStopped);
        LOG.debug("The engine ended the leadership: {}", status.getErrorMsg());
    }

    @Override
    public void onStartFollowing(LeaderChangeContext context) {
        leaderHint.leads(context.getLeaderId(), context.getTerm());
        String leader = leaderHint.now().leaderId();
        if (!leader.isEmpty()) {
            audience.tell(told -> told.leaderHeard(leader));
        }
    }

    @Override
    public void onStopFollowing(LeaderChangeContext context) {
        leaderHint.nobodyLeads();
    }

    // -- snapshots

    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        // Whatever happens, done is called once: else no snapshot is ever taken again.
        try {
            snapshots.trigger().reset();
            Snapshot now = state.snapshot();
            snapshots.writer().execute(() -> done.run(save(now, writer)));
        } catch (Throwable failure) {
            LOG.error("No snapshot could be taken", failure);
            done.run(new Status(SNAPSHOT_FAILED, String.valueOf(failure.getMessage())));
        }
    }

    private static Status save(Snapshot snapshot, SnapshotWriter writer) {
        try {
            SnapshotFile.write(snapshot, Path.of(writer.getPath(), SnapshotFile.NAME));
            if (!writer.addFile(SnapshotFile.NAME)) {
                throw new IOException("the engine did not take the file");
            }
            LOG.info(
                    "Snapshot taken at entry {}: {} sessions, {} locks",
                    snapshot.appliedIndex(),
                    snapshot.sessions().size(),
                    snapshot.locks().size());
            return Status.OK();
        } catch (Throwable failure) {
            LOG.error("A snapshot could not be written", failure);
            return new Status(SNAPSHOT_FAILED, String.valueOf(failure.getMessage()));
        }
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        Path file = Path.of(reader.getPath(), SnapshotFile.NAME);
        try {
            Snapshot snapshot = SnapshotFile.read(file, newestFormat);
            // An older position means applying what it holds twice, a later one skipping entries.
            Invariant.check(
                    snapshot.appliedIndex() <= reader.load().getLastIncludedIndex(),
                    "a snapshot ends where the engine says");
            state.replace(snapshot);
            snapshots.trigger().reset();
            LOG.info("Snapshot loaded at entry {}", snapshot.appliedIndex());
            return true;
        } catch (FutureFormatException future) {
            failures.report("%s: %s".formatted(file, future.getMessage()), future);
        } catch (Throwable damage) {
            failures.report(
                    "the snapshot %s is damaged (%s), so the state of this node is lost: %s"
                            .formatted(file, damage.getMessage(), DataDirectory.REBUILD),
                    damage);
        }
        return false;
    }

    @Override
    public void onError(RaftException error) {
        failures.reportAfterLastWords(
                "the log cannot go on: " + error.getStatus().getErrorMsg(), error);
    }

    @Override
    public void onShutdown() {
        LOG.debug("The engine is shut down");
    }
}
