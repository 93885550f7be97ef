package io.raftlock.server.raft.transport;

import static io.raftlock.server.raft.transport.TestCluster.await;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.conf.Configuration;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.rpc.CliRequests.ResetPeerRequest;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.DataOutputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** JRaft on this transport: three nodes in one JVM. */
@Timeout(90)
class ClusterTest {
    private TestCluster cluster;

    @BeforeEach
    void start(@TempDir Path dir) throws Exception {
        cluster = TestCluster.ofThree(dir);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.close();
    }

    @Test
    void electsAppliesAndReads() {
        TestNode leader = cluster.leader();
        List<String> entries = numbered("entry-", 1_000);

        List<Status> outcomes = TestCluster.apply(leader, entries);

        assertThat(outcomes).allMatch(Status::isOk);
        cluster.awaitAgreement();
        assertThat(leader.machine.applied()).isEqualTo(entries);
        for (TestNode node : cluster.nodes) {
            assertThat(TestCluster.readIndex(node)).matches(Status::isOk);
        }
    }

    @Test
    void aNodeAddedLateIsGivenTheSnapshot() throws Exception {
        TestNode leader = cluster.leader();
        TestCluster.apply(leader, numbered("a-", 500));
        assertThat(TestCluster.snapshot(leader)).matches(Status::isOk);
        TestCluster.apply(leader, numbered("b-", 500));
        assertThat(TestCluster.snapshot(leader)).matches(Status::isOk); // cuts the log below b

        PeerId fourth = TestCluster.freePeer();
        TestNode added = cluster.start(fourth, new Configuration());
        Status status =
                TestCluster.get(TestCluster.outcome(done -> leader.node.addPeer(fourth, done)));

        assertThat(status).matches(Status::isOk);
        cluster.awaitAgreement();
        assertThat(added.machine.snapshotsLoaded).hasValue(1);
        assertThat(added.machine.applied()).hasSize(1_000);
    }

    @Test
    void aNodeThatWasCutOffIsGivenTheSnapshot() {
        TestNode leader = cluster.leader();
        TestNode behind = cluster.followers().get(0);
        TestCluster.apply(leader, "first");
        cluster.links.cutOff(behind.id.getEndpoint());
        TestCluster.apply(leader, numbered("a-", 500));
        TestCluster.snapshot(leader);
        TestCluster.apply(leader, numbered("b-", 500));
        TestCluster.snapshot(leader);

        cluster.links.heal();

        cluster.awaitAgreement();
        assertThat(behind.machine.snapshotsLoaded).hasValue(1);
        assertThat(behind.machine.applied()).hasSize(1_001);
    }

    @Test
    void leadershipMovesOnRequest() {
        TestNode leader = cluster.leader();
        TestCluster.apply(leader, "before");
        TestNode next = cluster.followers().get(0);

        assertThat(leader.node.transferLeadershipTo(next.id)).matches(Status::isOk);

        await(Duration.ofSeconds(3), next::leads);
        cluster.applySurely("after", Duration.ofSeconds(3));
        cluster.awaitAgreement();
    }

    @Test
    void aLeaderThatIsCutOffIsReplacedAndItsLogGivesWay() {
        TestNode old = cluster.leader();
        assertThat(TestCluster.apply(old, "agreed")).matches(Status::isOk);

        cluster.links.cutOff(old.id.getEndpoint());
        var lost = TestCluster.outcome(done -> TestCluster.submit(old, "lost", done));
        await(
                Duration.ofSeconds(5),
                () -> cluster.nodes.stream().anyMatch(node -> node != old && node.leads()));
        await(Duration.ofSeconds(5), () -> !old.leads());
        cluster.applySurely("later", Duration.ofSeconds(5));
        assertThat(TestCluster.get(lost).isOk()).isFalse();

        cluster.links.heal();
        cluster.awaitAgreement();
        assertThat(old.machine.applied()).containsExactly("agreed", "later");
    }

    @Test
    void servesAgainSoonAfterAllConnectionsWereReset() {
        cluster.leader();
        for (int round = 0; round < 5; round++) {
            TestLoad load = TestLoad.on(cluster);
            await(Duration.ofSeconds(10), () -> load.acknowledged() > 50);

            cluster.nodes.forEach(node -> node.server.closeConnections());

            cluster.applySurely("reset-" + round, Duration.ofSeconds(3));
            load.stop();
        }
        cluster.awaitAgreement();
    }

    @Test
    void membershipRequestsCloseTheConnectionAndChangeNothing() throws Exception {
        TestNode leader = cluster.leader();
        var peers = leader.node.listPeers();
        byte[] reset =
                ResetPeerRequest.newBuilder()
                        .setGroupId(cluster.group)
                        .setPeerId(leader.id.toString())
                        .addNewPeers(leader.id.toString())
                        .build()
                        .toByteArray();

        for (int code = RaftMessage.values().length + 1; code < 64; code++) {
            try (Socket socket = NettyRpcServerTest.connect(leader.server)) {
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeInt(Frame.HEADER_BYTES + reset.length);
                out.writeLong(1);
                out.writeByte(0);
                out.writeShort(code);
                out.write(reset);

                NettyRpcServerTest.assertClosed(socket);
            }
        }

        assertThat(leader.leads()).isTrue();
        assertThat(leader.node.listPeers()).isEqualTo(peers);
        assertThat(TestCluster.apply(leader, "still three")).matches(Status::isOk);
    }

    private static List<String> numbered(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }
}
