package io.raftlock.server.raft;

import com.alipay.sofa.jraft.core.NodeImpl;
import com.alipay.sofa.jraft.entity.EnumOutter.ErrorType;
import com.alipay.sofa.jraft.entity.LocalStorageOutter.StablePBMeta;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.error.RaftException;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.RaftMetaStorage;
import com.alipay.sofa.jraft.storage.io.ProtoBufFile;

import io.raftlock.server.raft.VoteFile.DamagedVoteException;
import io.raftlock.server.raft.VoteFile.Vote;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/**
 * Keeps term and vote for the engine, which gives no vote and does not stand if they cannot be
 * saved. The engine calls it with its write lock held.
 */
final class VoteStorage implements RaftMetaStorage {
    private static final Logger LOG = LoggerFactory.getLogger(VoteStorage.class);

    private static final String NEVER_AGAIN =
            ": restore nothing and do not start it again, as it could make a second leader; the"
                    + " cluster goes on while a majority of its members lives (see \"a machine is"
                    + " lost for good\" in docs/operations.md)";

    private static final String MEND =
            ": see that the user that runs the node may write it and that its disk is well, then"
                    + " start the node again";

    private final Path path;

    /** Where the engine itself keeps it, as earlier versions let it do. */
    private final Path earlier;

    private final BooleanSupplier hasRun;
    private final Failures failures;
    private @Nullable NodeImpl node;
    private @Nullable VoteFile file;
    private long term;
    private PeerId votedFor = PeerId.emptyPeer();

    /**
     * Makes the storage, and touches no file.
     *
     * @param hasRun whether the node has a log or a snapshot, so that it must have a vote too
     */
    VoteStorage(Path directory, BooleanSupplier hasRun, Failures failures) {
        this.path = directory.resolve("vote");
        this.earlier = directory.resolve("raft_meta");
        this.hasRun = hasRun;
        this.failures = failures;
    }

    @Override
    public boolean init(RaftMetaStorageOptions options) {
        node = options.getNode();
        try {
            open();
            return true;
        } catch (DamagedVoteException damaged) {
            return refuse("the node's vote in %s %s%s", damaged.what(), NEVER_AGAIN);
        } catch (IOException failure) {
            return refuse("the node's vote in %s cannot be read or written (%s)%s", failure, MEND);
        }
    }

    private void open() throws IOException {
        if (!Files.exists(path)) {
            VoteFile.create(path, firstVote());
        }
        DurableFile.delete(earlier);
        VoteFile opened = VoteFile.open(path);
        file = opened;
        Vote vote = opened.vote();
        term = vote.term();
        if (!votedFor.parse(vote.votedFor())) {
            throw new DamagedVoteException("names no node: \"" + vote.votedFor() + "\"");
        }
        if (opened.wasHalfDamaged()) {
            LOG.warn(
                    "One of the two copies of the node's vote in {} is damaged: the other counts,"
                            + " and takes its place",
                    path);
        }
        // It mends a damaged copy. And whether it can be saved shows now, not when others wait for
        // this node's vote; nor do they wait then for the classes that save it.
        opened.save(vote);
    }

    private Vote firstVote() throws IOException {
        if (Files.exists(earlier)) {
            StablePBMeta meta = new ProtoBufFile(earlier.toString()).load();
            return new Vote(meta.getTerm(), meta.getVotedfor());
        }
        if (hasRun.getAsBoolean()) {
            throw new DamagedVoteException("is not there, but the log is");
        }
        return new Vote(term, votedFor.toString());
    }

    @Override
    public void shutdown() {
        if (file != null) {
            try {
                file.close();
            } catch (IOException ignored) {
                // All that was saved is on disk.
            }
        }
    }

    @Override
    public boolean setTerm(long term) {
        return setTermAndVotedFor(term, votedFor);
    }

    @Override
    public long getTerm() {
        return term;
    }

    @Override
    public boolean setVotedFor(PeerId peer) {
        return setTermAndVotedFor(term, peer);
    }

    @Override
    public PeerId getVotedFor() {
        return votedFor;
    }

    @Override
    public boolean setTermAndVotedFor(long term, PeerId peer) {
        this.term = term;
        this.votedFor = peer.copy();
        try {
            Objects.requireNonNull(file, "not open").save(new Vote(term, peer.toString()));
            return true;
        } catch (IOException failure) {
            tell(failure);
            return false;
        }
    }

    /** The engine stops over it, and does not say why. */
    private void tell(IOException failure) {
        String what =
                "the node's vote in %s cannot be written (%s)%s".formatted(path, failure, MEND);
        failures.note(what, failure);
        if (node != null) {
            node.onError(new RaftException(ErrorType.ERROR_TYPE_META, RaftError.EIO, "%s", what));
        }
    }

    private boolean refuse(String sentence, Object why, String advice) {
        String what = sentence.formatted(path, why, advice);
        failures.report(what, new IllegalStateException(what));
        return false;
    }
}
