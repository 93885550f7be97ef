package io.raftlock.bench.server;

import java.nio.file.Path;

/** The programs of the JDK that runs this one. */
public final class Jdk {
    private Jdk() {}

    /** Returns the path of one, such as java. */
    public static String program(String name) {
        return Path.of(System.getProperty("java.home"), "bin", name).toString();
    }
}
