package io.raftlock.server.simulation;

import io.raftlock.server.mutation.Mutation;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The server and the simulation once more, loaded apart from the rest, with one of their classes
 * compiled from a source that a mutation has changed.
 */
final class MutatedServer extends ClassLoader {
    private static final String PACKAGE = "io.raftlock.server.";

    private final Map<String, byte[]> changed;

    private MutatedServer(Map<String, byte[]> changed) {
        super(MutatedServer.class.getClassLoader());
        this.changed = changed;
    }

    static MutatedServer with(Mutation mutation) throws IOException {
        boolean isTest = mutation.change().file().startsWith("simulation/");
        return new MutatedServer(
                mutation.change().compiled(Path.of("src", isTest ? "test" : "main", "java")));
    }

    /** Runs one schedule, and returns what it found. */
    Optional<String> run(Narrowed schedules, long seed) throws ReflectiveOperationException {
        try {
            Method run =
                    loadClass(MutatedServer.class.getName())
                            .getDeclaredMethod("runHere", String.class, long.class);
            run.setAccessible(true); // One package in two loaders is two packages.
            run.invoke(null, schedules.name(), seed);
            return Optional.empty();
        } catch (InvocationTargetException found) {
            Throwable cause = found.getCause();
            // A node whose state makes no sense stops: that is a find as well.
            boolean isFind =
                    cause.getClass().getName().equals(Violation.class.getName())
                            || cause instanceof IllegalStateException;
            if (isFind) {
                return Optional.of(String.valueOf(cause.getMessage()));
            }
            throw new AssertionError("the mutated server does not run", cause);
        }
    }

    static void runHere(String schedules, long seed) {
        Simulation.run(Narrowed.valueOf(schedules).schedule(seed));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? defined(name) : known;
        }
    }

    private Class<?> defined(String name) throws ClassNotFoundException {
        byte[] bytes = changed.containsKey(name) ? changed.get(name) : asBuilt(name);
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] asBuilt(String name) throws ClassNotFoundException {
        try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
