package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.entity.LocalStorageOutter.StablePBMeta;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import com.alipay.sofa.jraft.storage.io.ProtoBufFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

class VoteStorageTest {
    private static final PeerId PEER = new PeerId("10.0.0.1", 4801);

    @TempDir Path folder;
    private final Failures failures = new Failures((what, cause) -> {});

    private VoteStorage storage(boolean hasRun) {
        return new VoteStorage(folder, () -> hasRun, failures);
    }

    private static boolean init(VoteStorage storage) {
        return storage.init(new RaftMetaStorageOptions());
    }

    @Test
    void aNewNodeHasVotedForNobody() {
        VoteStorage storage = storage(false);
        assertThat(init(storage)).isTrue();
        assertThat(storage.getTerm()).isZero();
        assertThat(storage.getVotedFor().isEmpty()).isTrue();
        storage.shutdown();
    }

    @Test
    void keepsTermAndVote() {
        VoteStorage storage = storage(false);
        init(storage);
        assertThat(storage.setTermAndVotedFor(3, PeerId.emptyPeer())).isTrue();
        assertThat(storage.setVotedFor(PEER)).isTrue();
        storage.shutdown();

        VoteStorage again = storage(true);
        assertThat(init(again)).isTrue();
        assertThat(again.getTerm()).isEqualTo(3);
        assertThat(again.getVotedFor()).isEqualTo(PEER);
        assertThat(again.setTerm(4)).isTrue();
        assertThat(again.getTerm()).isEqualTo(4);
        again.shutdown();
        assertThat(failures.any()).isFalse();
    }

    /** With the file of the engine left there, an earlier version could vote again. */
    @Test
    void takesOverTheVoteOfAnEarlierVersion() throws IOException {
        StablePBMeta meta =
                StablePBMeta.newBuilder().setTerm(9).setVotedfor(PEER.toString()).build();
        Path earlier = folder.resolve("raft_meta");
        assertThat(new ProtoBufFile(earlier.toString()).save(meta, true)).isTrue();
        VoteStorage storage = storage(true);
        assertThat(init(storage)).isTrue();
        assertThat(storage.getTerm()).isEqualTo(9);
        assertThat(storage.getVotedFor()).isEqualTo(PEER);
        assertThat(earlier).doesNotExist();
        storage.shutdown();
    }

    @Test
    void aVoteThatCannotBeSavedIsNotGivenAndStopsTheNode() {
        VoteStorage storage = storage(false);
        init(storage);
        storage.shutdown();
        assertThat(storage.setTermAndVotedFor(3, PEER)).isFalse();
        assertThat(failures.any()).isTrue();
        assertThat(failures.startFailed().what()).contains("the node's vote", "cannot be written");
    }
}
