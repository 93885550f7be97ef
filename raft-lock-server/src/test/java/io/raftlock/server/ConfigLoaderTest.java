package io.raftlock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class ConfigLoaderTest {
    private static final String VALID =
            """
            node-id: n1
            cluster: test
            data-dir: data
            raft-address: 0.0.0.0:7101
            client-address: 127.0.0.1:7401
            members:
              - {id: n1, raft: "127.0.0.1:7101", client: "127.0.0.1:7401"}
              - {id: n2, raft: "127.0.0.1:7102", client: "127.0.0.1:7402"}
              - {id: n3, raft: "127.0.0.1:7103", client: "127.0.0.1:7403"}
            session:
              min-ttl: 500ms
              max-ttl: 1h
            limits:
              connections: 100
              outstanding-commands: 1000
              low-disk-mib: 64
            snapshot:
              interval: 2s
              margin: 50
            """;

    @TempDir private Path folder;

    @Test
    void everyKeyIsRead() throws IOException {
        ServerConfig config = load(VALID);

        assertThat(config.nodeId()).isEqualTo("n1");
        assertThat(config.cluster()).isEqualTo("test");
        assertThat(config.raftAddress()).isEqualTo(new HostPort("0.0.0.0", 7101));
        assertThat(config.clientAddress()).isEqualTo(new HostPort("127.0.0.1", 7401));
        assertThat(config.members()).hasSize(3);
        assertThat(config.self().raft()).hasToString("127.0.0.1:7101");
        assertThat(config.session().min()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.session().max()).isEqualTo(Duration.ofHours(1));
        assertThat(config.limits()).isEqualTo(new ServerConfig.Limits(100, 1000, 64));
        assertThat(config.snapshot())
                .isEqualTo(new ServerConfig.Snapshots(Duration.ofSeconds(2), 50));
        assertThat(config.warnings()).isEmpty();
    }

    @Test
    void whatIsLeftOutHasADefault() throws IOException {
        ServerConfig config =
                load(
                        """
                        node-id: n1
                        data-dir: /var/lib/raft-lock
                        members:
                          - {id: n1, raft: "h1:7101", client: "h1:7401"}
                        """);

        assertThat(config.cluster()).isEqualTo("raft-lock");
        assertThat(config.dataDir()).isEqualTo(Path.of("/var/lib/raft-lock"));
        assertThat(config.raftAddress()).hasToString("h1:7101");
        assertThat(config.clientAddress()).hasToString("h1:7401");
        assertThat(config.session()).isEqualTo(ServerConfig.SessionTtls.DEFAULT);
        assertThat(config.limits()).isEqualTo(ServerConfig.Limits.DEFAULT);
        assertThat(config.snapshot()).isEqualTo(ServerConfig.Snapshots.DEFAULT);
    }

    @Test
    void aGroupWithoutKeysIsLikeNone() throws IOException {
        String empty = VALID.replaceAll("(?s)session:.*limits:", "session:\nlimits:");

        assertThat(load(empty).session()).isEqualTo(ServerConfig.SessionTtls.DEFAULT);
    }

    @Test
    void aRelativeDataDirectoryStartsAtTheFile() throws IOException {
        assertThat(load(VALID).dataDir()).isEqualTo(folder.resolve("data").toAbsolutePath());
    }

    @Test
    void theReadyConfigurationsAreValid() {
        for (int node = 1; node <= 3; node++) {
            Path file = Path.of("..", "config", "node" + node + ".yaml");
            ServerConfig config = ConfigLoader.load(file);

            assertThat(config.nodeId()).isEqualTo("n" + node);
            assertThat(config.self().raft().port()).isEqualTo(7100 + node);
            assertThat(config.self().client().port()).isEqualTo(7400 + node);
            assertThat(config.warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void aNumberOfMembersThatIsSeldomMeantIsWarnedOf(int count) throws IOException {
        StringBuilder yaml = new StringBuilder("node-id: n1\ndata-dir: d\nmembers:\n");
        for (int at = 1; at <= count; at++) {
            yaml.append(
                    "  - {id: n%d, raft: \"h%d:1\", client: \"h%d:2\"}%n".formatted(at, at, at));
        }

        assertThat(load(yaml.toString()).warnings())
                .singleElement()
                .asString()
                .contains("cluster of " + count + " member")
                .contains("have 3 or 5");
    }

    @Test
    void tooManyMembersAreRefused() {
        StringBuilder yaml = new StringBuilder("node-id: n1\ndata-dir: d\nmembers:\n");
        for (int at = 1; at <= 10; at++) {
            yaml.append(
                    "  - {id: n%d, raft: \"h%d:1\", client: \"h%d:2\"}%n".formatted(at, at, at));
        }

        assertRefused(
                yaml.toString(), ":3: members: found 10 members, expected 1 to 9, best 3 or 5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            # what stands there      | what is put there instead    | complaint, after the name of the file
            node-id: n1              | nodeid: n1                   | :1: nodeid: unknown key, expected one of admin-address, client-address, cluster, data-dir, limits, members, node-id, raft-address, session, snapshot
            min-ttl: 500ms           | ttl: 500ms                   | :11: session.ttl: unknown key, expected one of max-ttl, min-ttl
            '{id: n2,'               | '{name: x, id: n2,'          | :8: members[1].name: unknown key, expected one of client, id, raft
            cluster: test            | node-id: n2                  | :2: Duplicate field 'node-id'
            node-id: n1              | cluster2: 1                  | unknown key
            node-id: n1              | 'node-id:'                   | :1: node-id: missing, set it
            data-dir: data           | '# none'                     | : data-dir: missing, set it
            node-id: n1              | node-id: n9                  | :1: node-id: found "n9", expected the id of one of the members, which are n1, n2, n3
            node-id: n1              | 'node-id: a b'               | :1: node-id: found "a b", expected 1 to 64 letters
            node-id: n1              | 'node-id: [n1]'              | :1: node-id: expected a single value, not a list or nested keys
            cluster: test            | 'cluster: 1st'               | :2: cluster: found "1st", expected a letter and then letters
            '{id: n2,'               | '{id: n1,'                   | :8: members[1].id: found "n1" a second time
            127.0.0.1:7102           | 127.0.0.1:7101               | :8: members[1].raft: found 127.0.0.1:7101 a second time
            127.0.0.1:7402           | 127.0.0.1:7101               | :8: members[1].client: found 127.0.0.1:7101 a second time
            127.0.0.1:7402           | 0.0.0.0:7402                 | :8: members[1].client: found 0.0.0.0:7402, expected an address that others can connect to: to listen on all interfaces set client-address instead
            127.0.0.1:7102           | 127.0.0.1                    | :8: members[1].raft: found "127.0.0.1", expected host:port such as 127.0.0.1:7101
            127.0.0.1:7102           | 127.0.0.1:http               | :8: members[1].raft: found "127.0.0.1:http", expected host:port
            127.0.0.1:7102           | 127.0.0.1:65536              | :8: members[1].raft: found port 65536, expected a port from 1 to 65535
            127.0.0.1:7102           | 127.0.0.1:0                  | :8: members[1].raft: found port 0, expected a port from 1 to 65535
            127.0.0.1:7102           | 127.0.0.1:123456             | :8: members[1].raft: found port 123456, expected a port from 1 to 65535
            127.0.0.1:7102           | '::1:7102'                   | :8: members[1].raft: found "::1:7102", expected host:port
            raft-address: 0.0.0.0    | 'raft-address: a/b'          | :4: raft-address: found "a/b:7101", expected host:port
            raft-address: 0.0.0.0:7101 | raft-address: 0.0.0.0:7102 | :4: raft-address: found port 7102, expected 7101
            client-address: 127.0.0.1:7401 | 'admin-address: 127.0.0.1:7401' | :5: admin-address: found 127.0.0.1:7401, which is an address of this node already
            client-address: 127.0.0.1:7401 | 'client-address: 0.0.0.0:7101' | :5: client-address: found 0.0.0.0:7101, which is the raft address too
            min-ttl: 500ms           | min-ttl: 2                   | :11: session.min-ttl: found "2", expected a duration such as 500ms, 2s, 10m or 1h
            min-ttl: 500ms           | min-ttl: 499ms               | :11: session.min-ttl: found 499ms, expected a duration from 500ms to 24h
            max-ttl: 1h              | max-ttl: 25h                 | :12: session.max-ttl: found 25h, expected a duration from 500ms to 24h
            min-ttl: 500ms           | min-ttl: 2h                  | :11: session.min-ttl: found 2h, expected no more than session.max-ttl, which is 1h
            connections: 100         | connections: many            | :14: limits.connections: found "many", expected a whole number
            connections: 100         | connections: 0               | :14: limits.connections: found 0, expected a number from 1 to 100000
            outstanding-commands: 1000 | outstanding-commands: 65537 | :15: limits.outstanding-commands: found 65537, expected a number from 1 to 65536
            low-disk-mib: 64         | low-disk-mib: 1GB            | :16: limits.low-disk-mib: found "1GB", expected a whole number
            low-disk-mib: 64         | low-disk-mib: 1048577        | :16: limits.low-disk-mib: found 1048577, expected a number from 0 to 1048576
            interval: 2s             | interval: 1500ms             | :18: snapshot.interval: found 1500ms, expected whole seconds
            interval: 2s             | interval: 0s                 | :18: snapshot.interval: found 0ms, expected a duration from 1s to 24h
            margin: 50               | margin: -1                   | :19: snapshot.margin: found "-1", expected a whole number
            margin: 50               | margin: 999999999            | :19: snapshot.margin: found 999999999, expected a number from 0 to 100000000
            'session:'               | 'session: 5'                 | :10: session: expected nested keys
            """)
    void aWrongKeyOrValueIsNamedWithItsLine(String from, String to, String complaint) {
        assertThat(VALID).contains(from);

        assertRefused(VALID.replace(from, to), complaint);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            'members:'               | members: missing, expected a list of all nodes with id, raft and client
            'members: []'            | members: missing, expected a list
            'members: n1'            | members: expected a list, each entry after a dash
            'members: [n1]'          | members[0]: expected nested keys
            'members: [~]'           | members[0]: found nothing, expected id, raft and client
            'members: [{id: n1, raft: "h:1"}]' | members[0].client: missing, set it
            """)
    void aWrongListOfMembersIsNamed(String members, String complaint) {
        assertRefused("node-id: n1\ndata-dir: d\n" + members + "\n", ":3: " + complaint);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "# nothing\n  # here\n", "---\n", "~\n"})
    void anEmptyFileIsNamed(String text) {
        assertRefused(text, "has no keys, expected at least node-id, data-dir and members");
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-id: [n1\n", "\tnode-id: n1\n", "node-id: 'n1\n", "a: &a [*a]\n"})
    void whatIsNoYamlIsRefusedInOneLine(String text) {
        assertRefused(text, folder.resolve("node.yaml").toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"- n1\n", "just words\n", "5\n"})
    void whatHasNoKeysIsRefused(String text) {
        assertRefused(text, ":1: expected nested keys");
    }

    @Test
    void aSecondDocumentIsRefused() {
        assertRefused(VALID + "---\nnode-id: n2\n", "found a second document, expected one");
    }

    @Test
    void aMissingFileIsNamed() {
        Path missing = folder.resolve("missing.yaml");

        assertThatThrownBy(() -> ConfigLoader.load(missing))
                .isInstanceOf(ConfigException.class)
                .hasMessage("%s: does not exist: give the path of a node's configuration", missing);
    }

    @Test
    void aDirectoryIsNamed() {
        assertThatThrownBy(() -> ConfigLoader.load(folder))
                .isInstanceOf(ConfigException.class)
                .hasMessage("%s: is a directory, expected a YAML file", folder);
    }

    @Test
    void anUnreadableFileIsNamed() {
        // Being root, which may read all, cannot be relied upon: a loop of links fails for anyone.
        Path loop = folder.resolve("loop.yaml");
        try {
            Files.createSymbolicLink(loop, loop);
        } catch (IOException | UnsupportedOperationException noLinks) {
            return;
        }

        assertThatThrownBy(() -> ConfigLoader.load(loop))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(loop + ": cannot be read (")
                .hasMessageEndingWith("): let the user of the node read it");
    }

    @Test
    void aFileThatIsNoTextIsNamed() throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.write(file, new byte[] {(byte) 0xC3, (byte) 0x28});

        assertThatThrownBy(() -> ConfigLoader.load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage("%s: is not text in UTF-8, expected a YAML file", file);
    }

    @Test
    void aHugeFileIsNotRead() throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.write(file, new byte[(1 << 20) + 1]);

        assertThatThrownBy(() -> ConfigLoader.load(file))
                .isInstanceOf(ConfigException.class)
                .hasMessage("%s: is larger than 1 MiB, expected a YAML file", file);
    }

    private void assertRefused(String yaml, String complaint) {
        assertThatThrownBy(() -> load(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(folder.resolve("node.yaml") + ":")
                .hasMessageContaining(complaint)
                .message()
                .doesNotContain("\n");
    }

    private ServerConfig load(String yaml) throws IOException {
        Path file = folder.resolve("node.yaml");
        Files.writeString(file, yaml);
        return ConfigLoader.load(file);
    }
}
