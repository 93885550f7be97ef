package io.raftlock.bench.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The programs of the JDK that runs this one. */
public final class Jdk {
    private Jdk() {}

    /** Returns the path of one, such as java. */
    public static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }

    /** Returns the command that runs a program of this one's class path in a JVM of its own. */
    public static List<String> java(
            List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(program("java"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return command;
    }
}
