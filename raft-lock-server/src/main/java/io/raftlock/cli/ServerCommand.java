package io.raftlock.cli;

import io.raftlock.server.ConfigLoader;
import io.raftlock.server.ExitCode;
import io.raftlock.server.Preflight;
import io.raftlock.server.RaftLockServer;
import io.raftlock.server.ServerConfig;
import io.raftlock.server.raft.NodeStartException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Runs a node until the process is told to stop. */
@Command(
        name = "server",
        description = "Runs a node until it is told to stop (SIGTERM).",
        mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(9);

    @Spec private @Nullable CommandSpec spec;

    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "The node's configuration.")
    private @Nullable Path config;

    @Override
    public Integer call() {
        Path file = Objects.requireNonNull(config);
        ServerConfig checked = ConfigLoader.load(file);
        Preflight.check(checked, file);
        checked.warnings().forEach(LOG::warn);
        RaftLockServer node;
        try {
            node = RaftLockServer.start(checked, ServerCommand::die);
        } catch (NodeStartException cannotStart) {
            Objects.requireNonNull(spec)
                    .commandLine()
                    .getErr()
                    .println("raft-lock: " + cannotStart.getMessage());
            return ExitCode.CANNOT_START;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(node), "stop"));
        node.awaitStop();
        return ExitCode.OK;
    }

    /** The node must not go on, not even to stop in good order. */
    private static void die(String what, Throwable cause) {
        LOG.error("cannot go on and ends at once: {}", what, cause);
        Runtime.getRuntime().halt(ExitCode.FATAL);
    }

    /**
     * A process that was told to stop ends with 0, not with the number of a signal. It ends in time
     * even if the node does not: to be cut off does a node no harm, as it has lost nothing that it
     * ever acknowledged.
     */
    private static void stop(RaftLockServer node) {
        Thread closing = new Thread(node::close, "close");
        closing.setDaemon(true);
        closing.start();
        try {
            closing.join(STOP_LIMIT.toMillis());
        } catch (InterruptedException hurried) {
            LOG.warn("told to hurry");
        }
        if (closing.isAlive()) {
            LOG.warn("has not stopped within {} s and is cut off", STOP_LIMIT.toSeconds());
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }
}
