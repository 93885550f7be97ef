package io.raftlock.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.net.Link;
import io.raftlock.chaos.net.Shape;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Role;
import io.raftlock.chaos.schedule.Step;

import org.junit.jupiter.api.Test;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

class NetworkFaultsTest {
    private static final List<String> THREE = List.of("n1", "n2", "n3");
    private static final List<String> FIVE = List.of("n1", "n2", "n3", "n4", "n5");
    private static final List<String> CLIENTS = List.of("c1", "c2");

    private final FakeNetwork network = new FakeNetwork();
    private final LinkPlan plan = new LinkPlan(network);

    @Test
    void anIsolatedLeaderIsCutOffFromNodesAndNotFromClients() {
        begin(FIVE, Step.of(0, FaultKind.ISOLATE, Role.LEADER, 1));
        assertThat(network.cut)
                .hasSize(8)
                .allMatch(link -> link.from().equals("n2") != link.to().equals("n2"))
                .noneMatch(link -> CLIENTS.contains(link.from()));
    }

    @Test
    void theDeafHearsNothingAndIsHeard() {
        begin(THREE, Step.of(0, FaultKind.DEAF, Role.LEADER, 1));
        assertThat(network.cut).containsExactlyInAnyOrder(link("n1", "n2"), link("n3", "n2"));
    }

    @Test
    void theMuteIsNotHeardAndHears() {
        begin(THREE, Step.of(0, FaultKind.MUTE, Role.LEADER, 1));
        assertThat(network.cut).containsExactlyInAnyOrder(link("n2", "n1"), link("n2", "n3"));
    }

    @Test
    void whoIsStrandedReachesNobodyButEachOther() {
        begin(THREE, Step.of(0, FaultKind.STRAND, Role.LEADER, 1));
        assertThat(network.cut)
                .contains(link("c1", "n1"), link("n2", "n3"), link("n1", "c1"), link("c2", "n2"))
                .doesNotContain(link("c1", "n2"), link("n2", "c1"), link("c2", "n1"));
    }

    @Test
    void onARingOfFiveEachReachesAMajorityAndNoTwoTheSame() {
        for (int pick = 0; pick < 10; pick++) {
            Set<Link> cut = Partitions.ring(FIVE, pick);
            Set<Set<String>> majorities = new HashSet<>();
            for (String node : FIVE) {
                Set<String> reached = new HashSet<>(FIVE);
                reached.removeIf(other -> cut.contains(link(node, other)));
                assertThat(reached).hasSize(3);
                majorities.add(reached);
            }
            assertThat(majorities).hasSize(5);
        }
        assertThat(Partitions.ring(THREE, 1)).hasSize(2);
    }

    @Test
    void theNodeOnTheBridgeReachesAllAndTheSidesDoNot() {
        Set<Link> cut = Partitions.bridge(FIVE, 3);
        assertThat(cut).hasSize(8);
        assertThat(FIVE)
                .filteredOn(node -> cut.stream().noneMatch(link -> link.from().equals(node)))
                .hasSize(1);
    }

    @Test
    void aLinkIsWholeWhenTheLastFaultThatCutItIsGone() {
        network.hits = 5;
        Active first = begin(THREE, Step.of(0, FaultKind.DEAF, Role.LEADER, 1));
        Active second = begin(THREE, Step.of(0, FaultKind.ISOLATE, Role.LEADER, 1));
        network.hits = 7;
        assertThat(first.end()).contains("2");
        assertThat(network.cut).hasSize(4);
        assertThat(second.end()).isNotEmpty();
        assertThat(network.cut).isEmpty();
    }

    @Test
    void aCutThatHeldNothingUpIsNotProved() {
        assertThat(begin(THREE, Step.of(0, FaultKind.DEAF, Role.LEADER, 1)).end()).isEmpty();
    }

    @Test
    void slowLinksAreAllThatTouchTheLeader() {
        Active slow = begin(THREE, Step.of(0, FaultKind.DELAY, Role.LEADER, 1).amount(40));
        assertThat(network.shapes).hasSize(8).containsValue(Shape.delay(40, 20));
        assertThat(network.shapes.keySet()).doesNotContain(link("n1", "n3"), link("c1", "n3"));
        slow.end();
        assertThat(network.shapes).isEmpty();
    }

    @Test
    void aStormBreaksConnectionsAgainAndAgain() {
        Active storm = begin(THREE, Step.of(0, FaultKind.RESET_STORM, Role.EVERYBODY, 1));
        for (long nanos = 1; nanos < 1_000_000_000L; nanos += 10_000_000) {
            storm.tick(nanos);
        }
        assertThat(network.resets).isEqualTo(4);
        assertThat(storm.end()).contains("12");
    }

    @Test
    void aSwizzleCutsOneAfterTheOtherAndMendsAll() {
        Active swizzle = begin(THREE, Step.of(0, FaultKind.SWIZZLE, Role.ALL_NODES, 1_000));
        int most = 0;
        for (long nanos = 1; nanos < 1_000_000_000L; nanos += 10_000_000) {
            swizzle.tick(nanos);
            most = Math.max(most, network.cut.size());
        }
        assertThat(most).isEqualTo(3);
        assertThat(network.cut).hasSizeLessThan(2);
        swizzle.end();
        assertThat(network.cut).isEmpty();
    }

    @Test
    void rolesMeanTheLeaderAndAsManyAsTheySay() {
        Cast cast = new Cast(FIVE, Optional.of("n4"), CLIENTS);
        assertThat(cast.of(Role.MINORITY, 1).orElseThrow().nodes()).containsExactly("n4", "n2");
        assertThat(cast.of(Role.MAJORITY, 3).orElseThrow().nodes())
                .containsExactly("n4", "n5", "n1");
        assertThat(cast.of(Role.FOLLOWER, 3).orElseThrow().nodes()).containsExactly("n5");
        assertThat(cast.of(Role.CLIENT, 3).orElseThrow().clients()).containsExactly("c2");
        assertThat(cast.of(Role.EVERYBODY, 0).orElseThrow().all()).hasSize(7);
    }

    @Test
    void withoutALeaderThereIsNobodyToBreak() {
        Cast cast = new Cast(THREE, Optional.empty(), CLIENTS);
        assertThat(cast.of(Role.LEADER, 0)).isEmpty();
        assertThat(cast.of(Role.MAJORITY, 0)).isEmpty();
        assertThat(cast.of(Role.ALL_NODES, 0)).isPresent();
    }

    /** No process is touched by faults of links. */
    private Active begin(List<String> nodes, Step step) {
        Targets targets =
                new Cast(nodes, Optional.of("n2"), CLIENTS)
                        .of(step.role(), step.pick())
                        .orElseThrow();
        Gear noProcess = new Gear(null, Optional.empty(), Optional.empty(), Optional.empty());
        Map<String, Gear> gears = new HashMap<>();
        targets.all().forEach(host -> gears.put(host, noProcess));
        NetworkFaults faults = new NetworkFaults(plan, nodes, CLIENTS);
        return new ClusterFaults(faults, new ProcessFaults(null), null, gears).begin(step, targets);
    }

    private static Link link(String from, String to) {
        return new Link(from, to);
    }
}
