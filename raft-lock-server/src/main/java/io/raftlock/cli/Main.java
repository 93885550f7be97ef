package io.raftlock.cli;

import io.raftlock.server.ConfigException;
import io.raftlock.server.ExitCode;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParseResult;

/** The program {@code raft-lock}. */
@Command(
        name = "raft-lock",
        description = "A distributed lock service on Raft, with fencing tokens.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        subcommands = {ServerCommand.class, StatusCommand.class})
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main()).setExecutionExceptionHandler(Main::report);
    }

    private static int report(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof ConfigException) {
            command.getErr().println("raft-lock: " + failure.getMessage());
            return ExitCode.CANNOT_START;
        }
        command.getErr().println("raft-lock: internal error");
        failure.printStackTrace(command.getErr());
        return ExitCode.FATAL;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"raft-lock " + (version == null ? "(not packaged)" : version)};
        }
    }
}
