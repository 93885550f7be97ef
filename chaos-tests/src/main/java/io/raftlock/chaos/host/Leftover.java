package io.raftlock.chaos.host;

import java.nio.file.Path;
import java.util.List;

/**
 * One thing on this machine that a run has made and that must not outlive it.
 *
 * @param name of a namespace, path of a file, mount or cgroup, or id of a process
 * @param detail when a process was started; empty for the rest
 */
record Leftover(Kind kind, String name, String detail) {
    private static final String SEPARATOR = "\t";

    enum Kind {
        PROCESS,
        NAMESPACE,
        MOUNT,
        CGROUP,
        FILE
    }

    Leftover {
        if (name.contains(SEPARATOR) || name.contains("\n")) {
            throw new IllegalArgumentException("a name with a tab or a newline: " + name);
        }
    }

    static Leftover process(ProcessIdentity process) {
        return new Leftover(Kind.PROCESS, Long.toString(process.pid()), process.born());
    }

    static Leftover namespace(String name) {
        return new Leftover(Kind.NAMESPACE, name, "");
    }

    static Leftover mount(Path path) {
        return new Leftover(Kind.MOUNT, path.toAbsolutePath().toString(), "");
    }

    static Leftover cgroup(Path path) {
        return new Leftover(Kind.CGROUP, path.toString(), "");
    }

    static Leftover file(Path path) {
        return new Leftover(Kind.FILE, path.toAbsolutePath().toString(), "");
    }

    /** Reads back what {@link #line} wrote. */
    static Leftover parse(String line) {
        List<String> fields = List.of(line.split(SEPARATOR, -1));
        if (fields.size() != 3) {
            throw new IllegalArgumentException("not a line of leftovers: " + line);
        }
        return new Leftover(Kind.valueOf(fields.get(0)), fields.get(1), fields.get(2));
    }

    String line() {
        return String.join(SEPARATOR, kind.name(), name, detail);
    }
}
