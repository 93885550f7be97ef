package io.raftlock.chaos.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.NodeEnded;
import io.raftlock.chaos.history.Event.NodeStarted;
import io.raftlock.chaos.host.Await;
import io.raftlock.chaos.net.Host;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hosts here run a shell command in place of what they are to run. */
@Timeout(30)
class ChaosNodeTest {
    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final Duration LONGER_THAN_A_RESTART = Duration.ofMillis(1_300);

    @TempDir Path folder;

    private final List<Event> events = new ArrayList<>();
    private ChaosNode node;

    @AfterEach
    void end() {
        node.close();
    }

    @Test
    void aNodeThatEndsItselfIsReportedAndStartedAgainAfterAWhile() throws IOException {
        node = node("exit 3");
        node.start();
        awaitLife(2);
        assertThat(events.get(0)).isInstanceOf(NodeStarted.class);
        NodeEnded ended = (NodeEnded) events.get(1);
        NodeStarted again = (NodeStarted) events.get(2);
        assertThat(ended.life()).isEqualTo(1);
        assertThat(ended.exitCode()).isEqualTo(3);
        assertThat(ended.wanted()).isFalse();
        assertThat(again.life()).isEqualTo(2);
        assertThat(again.atNanos() - ended.atNanos())
                .isGreaterThanOrEqualTo(ChaosNode.RESTART_AFTER.toNanos());
    }

    @Test
    void anEndThatIsExcusedIsWantedAndTheNodeIsStartedAllTheSame() throws IOException {
        node = node("exit 3");
        node.excuse(true);
        node.start();
        awaitLife(2);
        assertThat(((NodeEnded) events.get(1)).wanted()).isTrue();
    }

    @Test
    void aNodeThatWasKilledStaysAwayUntilItIsStarted() throws IOException {
        node = node("exec sleep 60");
        node.start();
        long pid = node.pid();
        node.pause();
        node.kill();
        assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
        assertStaysAway();
        assertThat(events).hasSize(2);
        assertThat(((NodeEnded) events.get(1)).wanted()).isTrue();
        assertThat(((NodeEnded) events.get(1)).exitCode()).isEqualTo(128 + 9);
        node.start();
        assertThat(node.life()).isEqualTo(2);
        assertThatThrownBy(node::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aNodeThatEndedItselfAndIsKilledThenStaysAwayToo() throws IOException {
        node = node("exit 3");
        node.start();
        assertThat(node.awaitExit(BOUND)).isEqualTo(3);
        node.kill();
        assertStaysAway();
        assertThat(((NodeEnded) events.get(1)).wanted()).isFalse();
    }

    @Test
    void aNodeThatWasTerminatedStaysAway() throws IOException {
        node = node("exec sleep 60");
        node.start();
        node.terminate();
        assertThat(node.awaitExit(BOUND)).isEqualTo(128 + 15);
        assertStaysAway();
        assertThat(((NodeEnded) events.get(1)).wanted()).isTrue();
    }

    @Test
    void aDumpOfWhoDoesNotAnswerIsGivenUp() throws IOException {
        node = node("exec sleep 60");
        node.start();
        node.pause();
        assertThat(node.threadDump(folder.resolve("threads.txt"))).isFalse();
    }

    @Test
    void eachLifeHasItsJournalAndAllHaveOneLog() throws IOException {
        node = node("echo $RAFTLOCK_JOURNAL $EXTRA $0");
        node.start();
        awaitLife(2);
        node.awaitExit(BOUND);
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        assertThat(node.logTail(10))
                .isEqualTo(
                        "%1$s/journals/n1-1.journal more %2$s%n%1$s/journals/n1-2.journal more %2$s"
                                .formatted(folder, java));
    }

    @Test
    void theConfigurationBindsToTheHostAndNamesTheMembers() throws IOException {
        node = node("exit 0");
        String yaml = Files.readString(node.settings().configFile());
        assertThat(yaml)
                .contains("raft-address: 127.9.0.1:9000", "client-address: 127.9.0.1:9100")
                .contains("raft: n1:9000", "client: n2:9100", "interval: 300s");
    }

    private ChaosNode node(String shell) throws IOException {
        Host host =
                new Host("n1", "127.9.0.1", folder.resolve("hosts"), List.of("sh", "-c", shell));
        return new ChaosNode(
                host,
                List.of("n1", "n2"),
                NodeSettings.in(folder.resolve("n1"), folder.resolve("journals")),
                new NodeProgram(List.of(), List.of(), Map.of("EXTRA", "more")),
                events::add);
    }

    private void awaitLife(int life) {
        Await.until(
                "life " + life,
                BOUND,
                () -> {
                    node.tick();
                    return node.life() == life;
                });
    }

    private void assertStaysAway() {
        long begin = System.nanoTime();
        Await.until(
                "a while is over",
                BOUND,
                () -> {
                    node.tick();
                    assertThat(node.isRunning()).isFalse();
                    return System.nanoTime() - begin > LONGER_THAN_A_RESTART.toNanos();
                });
    }
}
