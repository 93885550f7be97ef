package io.raftlock.server.mutation;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A change to one source file, compiled to take the place of what the build made of it. So a
 * sabotage needs no switch in the product.
 *
 * @param file from the package of the server on, without its ending
 * @param replacements what stands there once, what stands in its place, and so on
 */
public record SourceChange(String file, List<String> replacements) {
    private static final String PACKAGE = "io/raftlock/server/";

    public SourceChange {
        replacements = List.copyOf(replacements);
    }

    /**
     * Compiles the changed file, with this program's class path.
     *
     * @param sources folder of the sources, which has the package of the server
     * @return the classes by their names
     * @throws IllegalStateException if the file has changed, so that the change does not fit it or
     *     does not compile
     */
    public Map<String, byte[]> compiled(Path sources) throws IOException {
        Path path = sources.resolve(PACKAGE + file + ".java");
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
                                    List.of("-proc:none", "-nowarn", "--release", "17"),
                                    null,
                                    List.of(
                                            new Source(
                                                    path.toUri(), applied(Files.readString(path)))))
                            .call();
            if (!isGood) {
                throw new IllegalStateException(messages.toString());
            }
        }
        return classes.entrySet().stream()
                .collect(
                        Collectors.toMap(Map.Entry::getKey, each -> each.getValue().toByteArray()));
    }

    private String applied(String source) {
        String changed = source;
        for (int at = 0; at < replacements.size(); at += 2) {
            String place = replacements.get(at);
            int found = changed.indexOf(place);
            if (found < 0 || changed.indexOf(place, found + 1) >= 0) {
                throw new IllegalStateException(
                        "\"%s\" does not stand once in %s".formatted(place, file));
            }
            changed = changed.replace(place, replacements.get(at + 1));
        }
        return changed;
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
