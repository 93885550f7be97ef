package io.raftlock.server;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/** The configuration is wrong. The message is one line for the operator. */
public final class ConfigException extends RuntimeException {
    private final String key;
    private final String problem;

    /**
     * Says what is wrong with one key.
     *
     * @param key as written in the file, with dots between levels, such as {@code session.max-ttl}
     * @param problem what was found, what is expected, what to do
     */
    ConfigException(String key, String problem) {
        this(key, problem, key + ": " + problem, null);
    }

    private ConfigException(String key, String problem, String line, @Nullable Throwable cause) {
        super(line.replaceAll("\\s*\\R\\s*", " "), cause);
        this.key = key;
        this.problem = problem;
    }

    /** The whole file is of no use. */
    static ConfigException of(Path file, String problem, @Nullable Throwable cause) {
        return new ConfigException("", problem, file + ": " + problem, cause);
    }

    /** The file is wrong at that line, whatever key stands there. */
    static ConfigException of(Path file, int line, String problem, @Nullable Throwable cause) {
        return new ConfigException("", problem, file + ":" + line + ": " + problem, cause);
    }

    /** The same, with the place where the key stands. A line of 0 means that it stands nowhere. */
    ConfigException in(Path file, int line) {
        String place = line == 0 ? file.toString() : file + ":" + line;
        return new ConfigException(key, problem, place + ": " + key + ": " + problem, this);
    }

    String key() {
        return key;
    }
}
