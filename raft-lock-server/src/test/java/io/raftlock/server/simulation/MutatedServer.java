package io.raftlock.server.simulation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

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
        boolean isTest = mutation.file().startsWith("simulation/");
        Path file =
                Path.of(
                        "src/%s/java/io/raftlock/server".formatted(isTest ? "test" : "main"),
                        mutation.file() + ".java");
        return new MutatedServer(compiled(file, mutation.applied(Files.readString(file))));
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

    // -- the compiler

    private static Map<String, byte[]> compiled(Path file, String source) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        StringWriter messages = new StringWriter();
        try (JavaFileManager files =
                new InMemory(compiler.getStandardFileManager(null, null, null), classes)) {
            boolean isGood =
                    compiler.getTask(
                                    messages,
                                    files,
                                    null,
                                    List.of("-proc:none", "-nowarn"),
                                    null,
                                    List.of(new Source(file.toUri(), source)))
                            .call();
            if (!isGood) {
                throw new AssertionError(messages.toString());
            }
        }
        return classes.entrySet().stream()
                .collect(
                        Collectors.toMap(Map.Entry::getKey, each -> each.getValue().toByteArray()));
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(URI file, String text) {
            super(file, Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager files, Map<String, ByteArrayOutputStream> classes) {
            super(files);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, any -> new ByteArrayOutputStream());
                }
            };
        }
    }
}
