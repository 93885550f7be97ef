package io.raftlock.cli;

import io.raftlock.server.ConfigLoader;
import io.raftlock.server.DurationText;
import io.raftlock.server.ExitCode;
import io.raftlock.server.HostPort;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Asks each node of a cluster how it is. */
@Command(
        name = "status",
        description = "Shows how each node is. Exits with 0 if one of them leads, else with 1.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** Between two questions to a node. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Spec private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private @Nullable Targets targets;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = TimeConverter.class,
            description = "Wait that long for a node to lead, such as 30s.")
    private Duration wait = Duration.ZERO;

    /** Which nodes to ask. */
    static final class Targets {
        @Option(
                names = "--endpoints",
                split = ",",
                paramLabel = "HOST:PORT",
                converter = AddressConverter.class,
                description = "Client addresses of the nodes, separated by commas.")
        private @Nullable List<HostPort> endpoints;

        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "Configuration of any node: all its members are asked.")
        private @Nullable Path config;

        List<Endpoint> resolve() {
            if (endpoints != null) {
                return endpoints.stream().map(address -> new Endpoint("", address)).toList();
            }
            return ConfigLoader.load(Objects.requireNonNull(config)).members().stream()
                    .map(member -> new Endpoint(member.id(), member.client()))
                    .toList();
        }
    }

    static final class AddressConverter implements ITypeConverter<HostPort> {
        @Override
        public HostPort convert(String text) {
            try {
                return HostPort.parse(text.strip());
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    static final class TimeConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return DurationText.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        StatusReport report = ask(Objects.requireNonNull(targets).resolve());
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (json) {
            out.println(StatusJson.render(report));
        } else {
            report.lines().forEach(out::println);
        }
        out.flush();
        return report.leader().isPresent() ? ExitCode.OK : ExitCode.NO_LEADER;
    }

    private StatusReport ask(List<Endpoint> endpoints) throws InterruptedException {
        long startNanos = System.nanoTime();
        try (StatusProbe probe = new StatusProbe(TIMEOUT)) {
            StatusReport report = new StatusReport(probe.ask(endpoints));
            while (report.leader().isEmpty() && System.nanoTime() - startNanos < wait.toNanos()) {
                Thread.sleep(PAUSE.toMillis());
                report = new StatusReport(probe.ask(endpoints));
            }
            return report;
        }
    }
}
