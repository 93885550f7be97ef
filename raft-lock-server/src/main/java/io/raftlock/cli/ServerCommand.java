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
import java.util.concurrent.atomic.AtomicReference;

/** Runs a node until the process is told to stop. */
@Command(
        name = "server",
        description = "Runs a node until it is told to stop (SIGTERM).",
        mixinStandardHelpOptions = true)
final class ServerCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerCommand.class);

    private static final Duration STOP_LIMIT = Duration.ofSeconds(9);

    private final AtomicReference<@Nullable RaftLockServer> started = new AtomicReference<>();

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
        try {
            start(checked).awaitStop();
            return ExitCode.OK;
        } catch (NodeStartException cannotStart) {
            Objects.requireNonNull(spec)
                    .commandLine()
                    .getErr()
                    .println("raft-lock: " + cannotStart.getMessage());
            return ExitCode.CANNOT_START;
        }
    }

    private RaftLockServer start(ServerConfig checked) throws NodeStartException {
        Thread hook = new Thread(this::stop, "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            RaftLockServer node = RaftLockServer.start(checked, ServerCommand::die);
            started.set(node);
            return node;
        } finally {
            if (started.get() == null) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
    }

    /** The node must not go on, not even to stop in good order. */
    private static void die(String what, Throwable cause) {
        LOG.error("cannot go on and ends at once: {}", what, cause);
        Runtime.getRuntime().halt(ExitCode.FATAL);
    }

    /** A process that was told to stop ends with 0, not with the number of a signal. */
    private void stop() {
        RaftLockServer node = started.get();
        if (node != null) {
            close(node);
        }
        Runtime.getRuntime().halt(ExitCode.OK);
    }

    /**
     * Takes no longer than it may, also if the node does: to be cut off does a node no harm, as it
     * has lost nothing that it ever acknowledged.
     */
    private static void close(RaftLockServer node) {
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
    }
}
