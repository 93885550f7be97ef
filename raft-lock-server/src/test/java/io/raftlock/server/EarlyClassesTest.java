package io.raftlock.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

class EarlyClassesTest {
    private static final String RAN = "raftlock.test.loud.ran";

    @TempDir Path folder;

    static final class Named {}

    static final class Beside {}

    static final class Loud {
        static {
            System.setProperty(RAN, "true");
        }
    }

    static class Missing {}

    static final class Orphan extends Missing {}

    /** Has nothing but one jar or folder, and tells what it has loaded. */
    private static final class Loader extends URLClassLoader {
        Loader(Path place) throws IOException {
            super(new URL[] {place.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
        }

        boolean has(Class<?> known) {
            return findLoadedClass(known.getName()) != null;
        }
    }

    @Test
    void whatLiesInTheSameJarIsLoadedAndNothingOfItRuns() throws Exception {
        Path jar = jar(Orphan.class, Named.class, Loud.class, Beside.class);
        try (Loader loader = new Loader(jar)) {
            EarlyClasses.load(loader, List.of("no.such.Class", Named.class.getName()));
            assertThat(loader.has(Beside.class)).isTrue();
            assertThat(loader.has(Loud.class)).isTrue();
            assertThat(System.getProperty(RAN)).isNull();
        }
    }

    @Test
    void ofWhatLiesInNoJarNothingIsLoaded() throws Exception {
        Path classes =
                Path.of(Named.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        assertThat(classes).isDirectory();
        try (Loader loader = new Loader(classes)) {
            EarlyClasses.load(loader, List.of(Named.class.getName()));
            assertThat(loader.has(Named.class)).isTrue();
            assertThat(loader.has(Beside.class)).isFalse();
            assertThat(System.getProperty(RAN)).isNull();
        }
    }

    private Path jar(Class<?>... classes) throws IOException {
        Path jar = folder.resolve("some.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            for (Class<?> each : classes) {
                String name = each.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(name));
                try (InputStream in = each.getClassLoader().getResourceAsStream(name)) {
                    in.transferTo(out);
                }
            }
        }
        return jar;
    }
}
