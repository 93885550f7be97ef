package io.raftlock.cli;

import io.raftlock.server.ConfigLoader;
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

    @Spec private @Nullable CommandSpec spec;

    @ArgGroup(multiplicity = "1")
    private @Nullable Targets targets;

    @Option(names = "--json", description = "Print JSON instead of a table.")
    private boolean json;

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

    @Override
    public Integer call() {
        List<Endpoint> endpoints = Objects.requireNonNull(targets).resolve();
        StatusReport report;
        try (StatusProbe probe = new StatusProbe(TIMEOUT)) {
            report = new StatusReport(probe.ask(endpoints));
        }
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (json) {
            out.println(StatusJson.render(report));
        } else {
            report.lines().forEach(out::println);
        }
        out.flush();
        return report.leader().isPresent() ? ExitCode.OK : ExitCode.NO_LEADER;
    }
}
