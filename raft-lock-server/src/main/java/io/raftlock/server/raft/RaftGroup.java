package io.raftlock.server.raft;

import com.alipay.sofa.jraft.Node;
import com.alipay.sofa.jraft.NodeManager;
import com.alipay.sofa.jraft.RaftServiceFactory;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.closure.ReadIndexClosure;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.Task;
import com.alipay.sofa.jraft.util.Endpoint;

import io.raftlock.server.format.Formats;
import io.raftlock.server.format.StateDigest;
import io.raftlock.server.lock.Command;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.raft.transport.NettyRpcServer;
import io.raftlock.server.raft.transport.PeerFormats;
import io.raftlock.server.raft.transport.PreVoteTies;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * This node's part in the Raft group: start it once, stop it once. Before and after, it refuses
 * what it is asked as a node that does not lead.
 */
public final class RaftGroup implements ReplicatedLog {
    private static final Logger LOG = LoggerFactory.getLogger(RaftGroup.class);

    private static final long CONFIRM_TIMEOUT_MILLIS = 2_000;
    private static final Duration SHUTDOWN_TIME = Duration.ofSeconds(5);

    /** An engine that did not come up seldom goes down properly. */
    private static final Duration FAILED_START_TIME = Duration.ofMillis(500);

    private static final Duration HAND_OVER_TIME = Duration.ofSeconds(3);
    private static final String NOT_STARTED = "UNINITIALIZED";
    private static final String LEADER = "LEADER";
    private static final String CANDIDATE = "CANDIDATE";

    private final GroupSettings settings;
    private final Failures failures;
    private final ReplicatedState state = new ReplicatedState();
    private final int newestFormat;
    private final PeerFormats formats;
    private final List<Endpoint> others;
    private final LeaderHint leaderHint;
    private final ExecutorService closures;
    private final ExecutorService rpc = Engine.rpc();
    private final ExecutorService snapshots;
    private final DiskWatch.FreeSpace space;
    private final HandOver handOver;

    // Written by start before anything can use them.
    private volatile @Nullable Proposer proposer;
    private volatile @Nullable Node node;
    private volatile @Nullable NettyRpcServer server;
    private volatile @Nullable DataDirectory data;
    private volatile @Nullable DiskWatch diskWatch;

    /**
     * @param fatal told when the node has started and then cannot go on
     */
    public RaftGroup(GroupSettings settings, FatalHandler fatal) {
        this(
                settings,
                fatal,
                Engine.snapshots(),
                DiskWatch.FreeSpace.of(settings.storage().directory()),
                Formats.NEWEST);
    }

    /**
     * Makes a group whose snapshots are written, whose disk is, and which is as old, as a test
     * wants.
     */
    RaftGroup(
            GroupSettings settings,
            FatalHandler fatal,
            ExecutorService snapshots,
            DiskWatch.FreeSpace space,
            int newestFormat) {
        this.settings = settings;
        this.newestFormat = newestFormat;
        formats = new PeerFormats(newestFormat);
        others = settings.others().stream().map(PeerId::getEndpoint).toList();
        this.snapshots = snapshots;
        this.space = space;
        failures = new Failures(fatal);
        closures = Engine.closures(settings.cluster());
        leaderHint =
                new LeaderHint(
                        settings.nodeId(),
                        address -> settings.memberAt(address).map(Member::id).orElse(""));
        handOver = new HandOver(settings.others(), this::isLedByAnother);
    }

    // -- start and stop

    /**
     * Takes the port, opens the data directory, and takes part in the group from then on.
     *
     * @param listener told of what the log does, also before this returns
     * @param observers shown each entry that is applied, also before this returns
     * @param stampMillis the cluster clock, read by one thread at a time while this node leads
     * @throws NodeStartException if it cannot; nothing is left open then
     */
    public void start(LogListener listener, List<EntryObserver> observers, LongSupplier stampMillis)
            throws NodeStartException {
        Member self = settings.self();
        try {
            Engine.prepareStorage();
            PreVoteTies ties = new PreVoteTies(self.raftAddress(), System::nanoTime);
            // The port first: if it is taken, nothing has been written.
            NettyRpcServer listening = RaftPort.open(settings, self, ties, formats, rpc);
            server = listening;
            DataDirectory directory =
                    DataDirectory.open(
                            settings.storage().directory(), settings.cluster(), settings.nodeId());
            data = directory;
            Proposer made =
                    new Proposer(
                            this::append,
                            stampMillis,
                            this::onlyQueues,
                            closures,
                            settings.tuning());
            proposer = made;
            made.start();
            Audience audience = new Audience(listener, observers, failures);
            joinGroup(self, ties, directory, listening, made, audience);
            watchDisk();
        } catch (NodeStartException failure) {
            giveUp();
            throw failure;
        } catch (RuntimeException failure) {
            giveUp();
            throw new NodeStartException(
                    "the engine does not start with data directory %s (%s): see its messages above"
                            .formatted(settings.storage().directory(), failure),
                    failure);
        }
    }

    private void watchDisk() {
        DiskWatch made =
                new DiskWatch(
                        settings.storage().directory(),
                        space,
                        settings.storage().lowBytes(),
                        this::isLeading,
                        () -> handOver(Waiting.deadlineIn(HAND_OVER_TIME)));
        diskWatch = made;
        made.start();
    }

    private void giveUp() {
        release(Waiting.deadlineIn(FAILED_START_TIME));
        closeData();
    }

    private void joinGroup(
            Member self,
            PreVoteTies ties,
            DataDirectory directory,
            NettyRpcServer listening,
            Proposer made,
            Audience audience)
            throws NodeStartException {
        PeerId id = self.peer();
        NodeManager.getInstance().addAddress(id.getEndpoint());
        Node fresh = RaftServiceFactory.createRaftNode(settings.cluster(), id);
        node = fresh;
        ApplyAdapter adapter =
                new ApplyAdapter(
                        newestFormat,
                        state,
                        made,
                        audience,
                        leaderHint,
                        failures,
                        new ApplyAdapter.Snapshots(
                                new SnapshotTrigger(settings.tuning().snapshotMargin()),
                                () -> takeSnapshot(ok -> LOG.debug("A snapshot was due: {}", ok)),
                                snapshots));
        boolean isUp =
                fresh.init(
                        EngineOptions.of(
                                settings,
                                id.getEndpoint(),
                                ties,
                                formats,
                                new Configuration(settings.peers()),
                                directory,
                                adapter,
                                new CheckedStorage(directory, failures)));
        Failures.Failure failure = isUp ? failures.started() : failures.startFailed();
        if (failure != null) {
            throw new NodeStartException(failure.what(), failure.cause());
        }
        if (!isUp) {
            throw new IllegalStateException("for a reason that only the engine knows");
        }
        listening.init(null);
    }

    /**
     * Stops gracefully: takes nothing new, ends what it has taken, hands leadership over, leaves.
     * Returns when the data directory is free, or somewhat after the limit without that.
     */
    public void stop(Duration limit) {
        BooleanSupplier passed = Waiting.deadlineIn(limit);
        endDiskWatch();
        Proposer stopping = proposer;
        if (stopping != null) {
            stopping.close();
            if (!stopping.drain(Waiting.deadlineIn(limit.dividedBy(2)))) {
                LOG.warn("{} commands were under way when stopping", stopping.outstanding());
            }
        }
        if (settings.members().size() > 1 && !giveWay(passed)) {
            LOG.warn("Nobody took over leadership when stopping");
        }
        halt();
    }

    private boolean giveWay(BooleanSupplier deadlinePassed) {
        Node running = node;
        return running == null || handOver.andSeeOff(running, deadlinePassed);
    }

    /** Leaves at once, as a process that is killed does: nothing is drained or handed over. */
    void halt() {
        if (release(Waiting.deadlineIn(SHUTDOWN_TIME))) {
            closeData();
        } else {
            LOG.error("The engine did not stop in time: the data directory stays locked");
        }
    }

    /** Ends all that runs, in whatever state of its start it is; false if some of it still does. */
    private boolean release(BooleanSupplier deadlinePassed) {
        endDiskWatch();
        Proposer ending = proposer;
        if (ending != null) {
            ending.end();
        }
        NettyRpcServer listening = server;
        if (listening != null) {
            listening.shutdown();
        }
        boolean isDown = shutDownNode(deadlinePassed);
        if (ending != null) {
            ending.abandon();
        }
        rpc.shutdown();
        snapshots.shutdown();
        return isDown;
    }

    private void endDiskWatch() {
        DiskWatch ending = diskWatch;
        if (ending != null) {
            ending.close();
        }
    }

    private void closeData() {
        DataDirectory held = data;
        if (held != null) {
            held.close();
        }
    }

    private boolean shutDownNode(BooleanSupplier deadlinePassed) {
        Node stopping = node;
        if (stopping == null) {
            return true;
        }
        CountDownLatch down = new CountDownLatch(1);
        try {
            stopping.shutdown(status -> down.countDown());
        } catch (RuntimeException halfStarted) {
            LOG.warn("The engine did not shut down", halfStarted);
        }
        NodeManager.getInstance().removeAddress(stopping.getNodeId().getPeerId().getEndpoint());
        return Waiting.until(() -> down.getCount() == 0, deadlinePassed);
    }

    // -- the log

    private void append(long term, byte[] entry, PendingEntry pending) {
        Task task = new Task(ByteBuffer.wrap(entry), pending);
        task.setExpectedTerm(term);
        started().apply(task);
    }

    private boolean onlyQueues(Command command) {
        return command instanceof Command.Acquire acquire
                && state.read(machine -> machine.wouldQueue(acquire));
    }

    /** Appends bytes as they are: tests put into the log what no version writes. */
    void appendRaw(byte[] bytes) {
        started().apply(new Task(ByteBuffer.wrap(bytes), null));
    }

    /**
     * Takes a snapshot now, if the engine counts anything as applied since the last; the result
     * comes on a thread of the engine. A batch that is being applied does not count yet.
     */
    public void takeSnapshot(Consumer<Boolean> taken) {
        Node running = node;
        if (running == null) {
            answer(taken, false);
            return;
        }
        running.snapshot(status -> answer(taken, status.isOk()));
    }

    private Node started() {
        Node running = node;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    @Override
    public void propose(Command command, Consumer<Verdict> verdict) {
        Proposer open = proposer;
        if (open == null) {
            answer(verdict, new Verdict.NotLeader());
        } else {
            open.propose(command, verdict);
        }
    }

    @Override
    public void propose(long term, Command command, Consumer<Verdict> verdict) {
        Proposer open = proposer;
        if (open == null) {
            answer(verdict, new Verdict.NotLeader());
        } else {
            open.propose(term, command, verdict);
        }
    }

    @Override
    public void confirmLeadership(Consumer<Boolean> confirmed) {
        long term = leaderTerm();
        if (term == 0) {
            answer(confirmed, false);
            return;
        }
        // A node that lost leadership meanwhile asks the new leader, who agrees. But by then the
        // new term's first entry has been applied here, after the stop: the term tells.
        ReadIndexClosure closure =
                new ReadIndexClosure(CONFIRM_TIMEOUT_MILLIS) {
                    @Override
                    public void run(Status status, long index, byte[] context) {
                        confirmed.accept(status.isOk() && leaderTerm() == term);
                    }
                };
        try {
            started().readIndex(new byte[0], closure);
        } catch (IllegalStateException | RejectedExecutionException refused) {
            // When it is shutting down the engine does both: it throws, and runs the closure.
            LOG.debug("Leadership could not be confirmed", refused);
        }
    }

    private long leaderTerm() {
        Proposer open = proposer;
        return open == null ? 0 : open.leaderTerm();
    }

    private <T> void answer(Consumer<T> receiver, T what) {
        closures.execute(() -> receiver.accept(what));
    }

    @Override
    public boolean isLeading() {
        return leaderTerm() != 0;
    }

    @Override
    public Leadership leadership() {
        // In this order: a node that leads has named itself before.
        boolean leading = isLeading();
        LeaderHint.Hint hint = leaderHint.now();
        return new Leadership(role(leading), hint.term(), leading, hint.leaderId());
    }

    /**
     * A leader that has not yet committed an entry of its term serves nobody: a candidate still.
     */
    private String role(boolean leading) {
        Node running = node;
        if (running == null) {
            return NOT_STARTED;
        }
        String role = running.getNodeState().name().replaceFirst("^STATE_", "");
        return role.equals(LEADER) && !leading ? CANDIDATE : role;
    }

    @Override
    public int formatOfAll() {
        return formats.ofAll(others);
    }

    @Override
    public <T> T read(Function<LockStateMachine, T> reader) {
        return state.read(reader);
    }

    /** A short text that is the same on all nodes that have applied the same entries. */
    public String digest() {
        return StateDigest.of(state.snapshot());
    }

    /** Returns what space the log has, as last seen. */
    public DiskSpace diskSpace() {
        DiskWatch watching = diskWatch;
        return watching == null ? DiskSpace.UNKNOWN : watching.last();
    }

    /** Hands leadership to another member if this node has it; false if nobody took it in time. */
    boolean handOver(BooleanSupplier deadlinePassed) {
        Node running = node;
        return running == null || handOver.of(running, deadlinePassed);
    }

    private boolean isLedByAnother() {
        String leader = leaderHint.now().leaderId();
        return !leader.isEmpty() && !leader.equals(settings.nodeId());
    }
}
