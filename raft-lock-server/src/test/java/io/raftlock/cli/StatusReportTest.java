package io.raftlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Response.NodeStatus;
import io.raftlock.server.HostPort;

import org.junit.jupiter.api.Test;

import java.util.List;

class StatusReportTest {
    private static final Endpoint N1 = new Endpoint("n1", new HostPort("127.0.0.1", 7401));
    private static final Endpoint N2 = new Endpoint("n2", new HostPort("127.0.0.1", 7402));
    private static final Endpoint N3 = new Endpoint("n3", new HostPort("10.0.0.3", 7403));

    @Test
    void columnsAreAlignedAndUnreachableNodesNamed() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "FOLLOWER", 12, "n2", 8_001, "00ff", 3),
                                up(N2, "LEADER", 12, "n2", 12_345, "a1b2", 40),
                                new Answer.Down(N3, "no answer within 2000 ms")));

        assertThat(report.lines())
                .containsExactly(
                        "NODE  ADDRESS         ROLE      TERM  LEADER  APPLIED  DIGEST  SESSIONS"
                                + "  HOLDS  WAITERS",
                        "n1    127.0.0.1:7401  FOLLOWER    12  n2         8001  00ff           3"
                                + "      2        1",
                        "n2    127.0.0.1:7402  LEADER      12  n2        12345  a1b2          40"
                                + "      2        1",
                        "n3    10.0.0.3:7403   UNREACHABLE: no answer within 2000 ms",
                        "leader: n2, term 12, 2 of 3 nodes answer");
    }

    @Test
    void aNodeWithoutNameIsCalledByItsAddress() {
        Answer down = new Answer.Down(new Endpoint("", N1.address()), "unknown host");

        assertThat(new StatusReport(List.of(down)).lines().get(1))
                .isEqualTo("?     127.0.0.1:7401  UNREACHABLE: unknown host");
    }

    @Test
    void nobodyLeadsWhereNobodySaysSo() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "FOLLOWER", 3, "", 5, "aa", 0),
                                up(N2, "CANDIDATE", 3, "", 5, "aa", 0)));

        assertThat(report.leader()).isEmpty();
        assertThat(report.lines()).last().isEqualTo("no leader, 2 of 2 nodes answer");
    }

    @Test
    void aLeaderOfAnOlderTermIsNone() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "LEADER", 3, "n1", 5, "aa", 0),
                                up(N2, "FOLLOWER", 4, "n3", 5, "aa", 0)));

        assertThat(report.leader()).isEmpty();
    }

    @Test
    void aLeaderThatHasYetToApplyItsLogIsNone() {
        StatusReport report = new StatusReport(List.of(up(N1, "LEADER", 3, "", 5, "aa", 0)));

        assertThat(report.leader()).isEmpty();
    }

    @Test
    void ofTwoThatSaySoTheOneWithTheHigherTermLeads() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "LEADER", 3, "n1", 5, "aa", 0),
                                up(N2, "LEADER", 4, "n2", 5, "aa", 0)));

        assertThat(report.leader()).map(NodeStatus::nodeId).contains("n2");
    }

    @Test
    void differentStatesAtOneIndexAreReported() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "LEADER", 3, "n1", 5, "aa", 0),
                                up(N2, "FOLLOWER", 3, "n1", 5, "bb", 0),
                                up(N3, "FOLLOWER", 3, "n1", 4, "cc", 0)));

        assertThat(report.differences()).containsExactly("replicas differ at index 5: [n1, n2]");
        assertThat(report.lines()).last().isEqualTo("replicas differ at index 5: [n1, n2]");
    }

    @Test
    void programsGetTheSameAsJson() {
        StatusReport report =
                new StatusReport(
                        List.of(
                                up(N1, "LEADER", 12, "n1", 7, "a1", 3),
                                new Answer.Down(N2, "connection refused")));

        assertThat(StatusJson.render(report))
                .isEqualToIgnoringWhitespace(
                        """
                        {
                          "leader" : "n1",
                          "nodes" : [ {
                            "address" : "127.0.0.1:7401", "reachable" : true, "id" : "n1",
                            "role" : "LEADER", "term" : 12, "leader" : "n1", "appliedIndex" : 7,
                            "digest" : "a1", "sessions" : 3, "holds" : 2, "waiters" : 1
                          }, {
                            "address" : "127.0.0.1:7402", "reachable" : false, "id" : "n2",
                            "problem" : "connection refused"
                          } ],
                          "differences" : [ ]
                        }
                        """);
    }

    private static Answer up(
            Endpoint endpoint,
            String role,
            long term,
            String leader,
            long applied,
            String digest,
            int sessions) {
        return new Answer.Up(
                endpoint,
                new NodeStatus(
                        endpoint.name(), role, term, leader, applied, digest, sessions, 2, 1));
    }
}
