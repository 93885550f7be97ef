package io.raftlock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.ErrorCode;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.Response.NodeStatus;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

@Timeout(20)
class MainTest {
    @TempDir private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpListsTheCommands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("server", "status");
    }

    @Test
    void theVersionIsPrinted() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("raft-lock ");
    }

    @Test
    void withoutACommandTheUsageIsShown() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required subcommand", "Usage: raft-lock");
    }

    @Test
    void anUnknownCommandIsNamed() {
        assertThat(run("serve")).isEqualTo(2);
        assertThat(err.toString()).contains("serve");
    }

    @Test
    void theServerNeedsAConfiguration() {
        assertThat(run("server")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required option: '--config=FILE'");
    }

    @Test
    void theServerNamesAnUnknownOption() {
        assertThat(run("server", "--config", "a.yaml", "--port", "1")).isEqualTo(2);
        assertThat(err.toString()).contains("--port");
    }

    @Test
    void aWrongConfigurationIsOneLine() throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.writeString(file, "node-id: n1\nport: 5\n");

        assertThat(run("server", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("raft-lock: " + file + ":2: port: unknown key");
    }

    @Test
    void aPortInUseIsOneLineAndNothingIsWritten() throws IOException {
        int free = freePort();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = config("data", free, taken.getLocalPort());

            assertThat(run("server", "--config", file.toString())).isEqualTo(2);
            assertThat(err.toString().lines())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "raft-lock: "
                                    + file
                                    + ": client-address: cannot listen on 127.0.0.1:"
                                    + taken.getLocalPort())
                    .endsWith("stop the process that uses the port, or set another address");
            assertOnlyFileIs(file);
        }
    }

    @Test
    void aFileInPlaceOfTheDataDirectoryIsOneLine() throws IOException {
        Path file = config("node.yaml", freePort(), freePort());

        assertThat(run("server", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .isEqualTo(
                        "raft-lock: %s: data-dir: %s is a file, expected a directory", file, file);
        assertOnlyFileIs(file);
    }

    @Test
    void aFileAboveTheDataDirectoryIsOneLine() throws IOException {
        Path file = config("node.yaml/data", freePort(), freePort());

        assertThat(run("server", "--config", file.toString())).isEqualTo(2);
        assertThat(err.toString())
                .contains(": data-dir: " + file + " is a file, expected a directory");
    }

    @Test
    void statusNeedsToKnowWhomToAsk() {
        assertThat(run("status")).isEqualTo(2);
        assertThat(err.toString()).contains("--endpoints", "--config");
    }

    @Test
    void statusTakesEndpointsOrAConfiguration() {
        assertThat(run("status", "--endpoints", "a:1", "--config", "b.yaml")).isEqualTo(2);
        assertThat(err.toString()).contains("mutually exclusive");
    }

    @Test
    void statusNamesAnAddressThatIsNone() {
        assertThat(run("status", "--endpoints", "a:1,b")).isEqualTo(2);
        assertThat(err.toString()).contains("found \"b\", expected host:port");
    }

    @Test
    void statusNamesAMissingConfiguration() {
        assertThat(run("status", "--config", folder.resolve("x.yaml").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("x.yaml: does not exist");
    }

    @Test
    void statusOfALeaderIsASuccess() {
        try (ScriptedNode leader = ScriptedNode.withStatus(status("n1", "LEADER"));
                ScriptedNode follower = ScriptedNode.withStatus(status("n2", "FOLLOWER"))) {
            String endpoints = leader.address() + "," + follower.address();

            assertThat(run("status", "--endpoints", endpoints)).isZero();
            assertThat(out.toString().lines().toList())
                    .hasSize(4)
                    .last()
                    .isEqualTo("leader: n1, term 2, 2 of 2 nodes answer");
        }
    }

    @Test
    void statusIsPrintedAsJson() {
        try (ScriptedNode leader = ScriptedNode.withStatus(status("n1", "LEADER"))) {
            assertThat(run("status", "--json", "--endpoints", leader.address())).isZero();
            assertThat(out.toString()).contains("\"leader\" : \"n1\"", "\"digest\" : \"d1\"");
        }
    }

    @Test
    void statusAsksAllMembersOfAConfiguration() throws IOException {
        try (ScriptedNode leader = ScriptedNode.withStatus(status("n1", "LEADER"))) {
            int port = Integer.parseInt(leader.address().replaceFirst(".*:", ""));
            Path file = config("data", freePort(), port);

            assertThat(run("status", "--config", file.toString())).isZero();
        }
    }

    @Test
    void statusWithoutALeaderIsAFailure() throws IOException {
        int nobody = freePort();
        try (ScriptedNode follower = ScriptedNode.withStatus(status("n2", "FOLLOWER"))) {
            String endpoints = "127.0.0.1:" + nobody + "," + follower.address();

            assertThat(run("status", "--endpoints", endpoints)).isEqualTo(1);
            List<String> lines = out.toString().lines().toList();
            assertThat(lines.get(1)).endsWith("UNREACHABLE: Connection refused");
            assertThat(lines).last().isEqualTo("no leader, 1 of 2 nodes answer");
        }
    }

    @Test
    void statusDoesNotWaitForANodeThatIsSilent() {
        try (ScriptedNode silent = new ScriptedNode(request -> Optional.empty())) {
            assertThat(run("status", "--endpoints", silent.address())).isEqualTo(1);
            assertThat(out.toString()).contains("UNREACHABLE: no answer within 2000 ms");
        }
    }

    @Test
    void statusCanWaitForALeader() {
        AtomicInteger asked = new AtomicInteger();
        try (ScriptedNode node =
                new ScriptedNode(
                        request ->
                                Optional.of(
                                        request instanceof Request.Hello
                                                ? new Response.Welcome(1, "n1")
                                                : asked.incrementAndGet() < 3
                                                        ? status("n1", "CANDIDATE")
                                                        : status("n1", "LEADER")))) {
            assertThat(run("status", "--wait", "10s", "--endpoints", node.address())).isZero();
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void statusWaitsNoLongerThanItIsTold() throws IOException {
        String nobody = "127.0.0.1:" + freePort();

        assertThat(run("status", "--wait", "300ms", "--endpoints", nobody)).isEqualTo(1);
    }

    @Test
    void statusNamesATimeThatIsNone() {
        assertThat(run("status", "--wait", "5", "--endpoints", "a:1")).isEqualTo(2);
        assertThat(err.toString()).contains("found \"5\", expected a duration");
    }

    @Test
    void statusReportsARefusal() {
        Response refusal = new Response.Refused(ErrorCode.UNSUPPORTED_VERSION, "speaks 7 to 9");
        try (ScriptedNode newer = new ScriptedNode(request -> Optional.of(refusal))) {
            assertThat(run("status", "--endpoints", newer.address())).isEqualTo(1);
            assertThat(out.toString()).contains("UNSUPPORTED_VERSION speaks 7 to 9");
        }
    }

    @Test
    void statusReportsAnAnswerThatMakesNoSense() {
        try (ScriptedNode odd = new ScriptedNode(MainTest::releaseEverything)) {
            assertThat(run("status", "--endpoints", odd.address())).isEqualTo(1);
            assertThat(out.toString()).contains("unexpected answer RELEASED");
        }
    }

    private static Optional<Response> releaseEverything(Request request) {
        return Optional.of(new Response.Released());
    }

    @Test
    void statusKnowsAStranger() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answers = new Thread(() -> answerAsAWebServerDoes(web));
            answers.start();

            assertThat(run("status", "--endpoints", "127.0.0.1:" + web.getLocalPort())).isOne();
            assertThat(out.toString()).contains("UNREACHABLE: does not speak the lock protocol");
            answers.join();
        }
    }

    private static void answerAsAWebServerDoes(ServerSocket web) {
        try (var connection = web.accept()) {
            connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes());
            connection.getOutputStream().flush();
            connection.getInputStream().readAllBytes();
        } catch (IOException closed) {
            // The other end has seen enough.
        }
    }

    private static NodeStatus status(String id, String role) {
        return new NodeStatus(id, role, 2, "n1", 9, "d1", 1, 2, 3);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private Path config(String dataDir, int raftPort, int clientPort) throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.writeString(
                file,
                """
                node-id: n1
                data-dir: %s
                members:
                  - {id: n1, raft: "127.0.0.1:%d", client: "127.0.0.1:%d"}
                """
                        .formatted(dataDir, raftPort, clientPort));
        return file;
    }

    private void assertOnlyFileIs(Path file) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    private int run(String... args) {
        CommandLine main = Main.commandLine();
        main.setOut(new PrintWriter(out, true));
        main.setErr(new PrintWriter(err, true));
        return main.execute(args);
    }
}
