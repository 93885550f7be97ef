package io.raftlock.server.raft;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The directory of one node: its log, its vote, its snapshots. While it is open no other process
 * can open it. A directory says whose it is, and is not touched by anybody else.
 */
final class DataDirectory implements AutoCloseable {
    /** What an operator does when a part is damaged, and the vote is not. */
    static final String REBUILD =
            "keep it as it is, and rebuild the node from a snapshot of the leader's, as"
                    + " docs/operations.md says under \"Rebuild a node\"";

    private static final String FORMAT = "format=1";
    private static final String LOCK = "lock";
    private static final String IDENTITY = "identity";
    private static final List<String> PARTS = List.of("log", "meta", "snapshot");

    private final Path root;
    private final FileChannel lock;

    private DataDirectory(Path root, FileChannel lock) {
        this.root = root;
        this.lock = lock;
    }

    /** Opens the directory for that node, and makes it if there is none. */
    static DataDirectory open(Path root, String cluster, String nodeId) throws NodeStartException {
        Identity own = new Identity(cluster, nodeId);
        try {
            checkOwner(root, own);
            Files.createDirectories(root);
            FileChannel lock = lock(root);
            try {
                prepare(root, own);
                return new DataDirectory(root, lock);
            } catch (IOException | NodeStartException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new NodeStartException(
                    ("data directory %s cannot be used (%s): the user that runs the node "
                                    + "must be able to write it")
                            .formatted(root, failure),
                    failure);
        }
    }

    Path log() {
        return root.resolve("log");
    }

    Path meta() {
        return root.resolve("meta");
    }

    Path snapshot() {
        return root.resolve("snapshot");
    }

    /** Returns how much can be written, for people. */
    String freeSpace() {
        return DiskSpace.mib(root.toFile().getUsableSpace());
    }

    boolean hasSnapshot() {
        String[] inside = snapshot().toFile().list();
        return inside != null && inside.length > 0;
    }

    /** Lets other processes open it. */
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException ignored) {
            // The lock ends with the process at the latest.
        }
    }

    private static void checkOwner(Path root, Identity own) throws IOException, NodeStartException {
        if (!Files.exists(root)) {
            return;
        }
        Identity owner = Identity.read(root);
        if (owner == null) {
            requireEmpty(root);
        } else {
            owner.requireSame(own, root);
        }
    }

    private static void requireEmpty(Path root) throws IOException, NodeStartException {
        try (Stream<Path> files = Files.list(root)) {
            // A first start that was cut short leaves a lock and empty parts.
            if (files.anyMatch(file -> !isLeftOver(file))) {
                throw new NodeStartException(
                        ("data directory %s holds files but no \"%s\" file, so it is none "
                                        + "of raft-lock's: name an empty or missing directory")
                                .formatted(root, IDENTITY));
            }
        }
    }

    private static boolean isLeftOver(Path file) {
        String name = String.valueOf(file.getFileName());
        if (PARTS.contains(name)) {
            try (Stream<Path> inside = Files.list(file)) {
                return inside.findAny().isEmpty();
            } catch (IOException unreadable) {
                return false;
            }
        }
        return name.equals(LOCK) || name.equals(IDENTITY + DurableFile.DRAFT);
    }

    private static FileChannel lock(Path root) throws IOException, NodeStartException {
        FileChannel channel =
                FileChannel.open(
                        root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!tryLock(channel)) {
            channel.close();
            throw new NodeStartException(
                    ("data directory %s is in use by another process: stop that one, or "
                                    + "give each node a directory of its own")
                            .formatted(root));
        }
        return channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            return held != null;
        } catch (OverlappingFileLockException inThisProcess) {
            return false;
        }
    }

    private static void prepare(Path root, Identity own) throws IOException, NodeStartException {
        checkOwner(root, own);
        if (Identity.read(root) == null) {
            for (String part : PARTS) {
                Files.createDirectories(root.resolve(part));
            }
            own.write(root);
        }
        for (String part : PARTS) {
            if (!Files.isDirectory(root.resolve(part))) {
                throw new NodeStartException(
                        ("data directory %s lacks its part \"%s\", and a node that forgot "
                                        + "its log or its vote endangers the cluster: put back what was"
                                        + " there when the node last ran, or do not start it again")
                                .formatted(root, part));
            }
        }
    }

    /** Whose directory it is. */
    private record Identity(String cluster, String nodeId) {

        static @Nullable Identity read(Path root) throws IOException, NodeStartException {
            Path file = root.resolve(IDENTITY);
            if (!Files.exists(file)) {
                return null;
            }
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            if (lines.isEmpty() || !lines.get(0).equals(FORMAT)) {
                throw new NodeStartException(
                        ("data directory %s does not have the format that this version "
                                        + "knows (%s): run the version that "
                                        + "made it, or a newer one")
                                .formatted(root, FORMAT));
            }
            if (lines.size() != 3
                    || !lines.get(1).startsWith("cluster=")
                    || !lines.get(2).startsWith("node=")) {
                throw new NodeStartException(
                        "file %s is damaged: it should say format, cluster and node"
                                .formatted(file));
            }
            return new Identity(
                    lines.get(1).substring("cluster=".length()),
                    lines.get(2).substring("node=".length()));
        }

        void requireSame(Identity own, Path root) throws NodeStartException {
            if (!equals(own)) {
                throw new NodeStartException(
                        ("data directory %s belongs to node \"%s\" of cluster \"%s\", but "
                                        + "this is node \"%s\" of "
                                        + "cluster \"%s\": name the directory of "
                                        + "this node")
                                .formatted(root, nodeId, cluster, own.nodeId, own.cluster));
            }
        }

        /** Whole or not at all, also if the machine stops meanwhile. */
        void write(Path root) throws IOException {
            List<String> lines = List.of(FORMAT, "cluster=" + cluster, "node=" + nodeId);
            String content = String.join("\n", lines) + "\n";
            DurableFile.write(root.resolve(IDENTITY), content.getBytes(StandardCharsets.UTF_8));
        }
    }
}
