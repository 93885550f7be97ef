package io.raftlock.server;

import io.raftlock.protocol.ProtocolLimits;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Loads the classes of the node and of its engine before they are needed. A node that begins to
 * lead uses some two hundred for the first time: to read them from the jars then takes more than a
 * third of the time in which nobody leads.
 */
final class EarlyClasses {
    private static final Logger LOG = LoggerFactory.getLogger(EarlyClasses.class);

    private static final List<String> ONE_OF_EACH_JAR =
            List.of(
                    EarlyClasses.class.getName(),
                    ProtocolLimits.class.getName(),
                    "com.alipay.sofa.jraft.Node");

    private static final List<String> FOLDERS =
            List.of("io/raftlock/protocol/", "io/raftlock/server/", "com/alipay/sofa/jraft/");

    private static final String SUFFIX = ".class";

    private EarlyClasses() {}

    /** Loads them on a thread of its own: a node serves without, and only slower at first. */
    static void loadInBackground() {
        Thread thread =
                new Thread(
                        () -> load(EarlyClasses.class.getClassLoader(), ONE_OF_EACH_JAR),
                        "early-classes");
        thread.setDaemon(true);
        thread.start();
    }

    /** Loads all that lie in the same jars as these; of what lies in no jar, nothing. */
    static void load(ClassLoader loader, List<String> oneOfEachJar) {
        for (String one : oneOfEachJar) {
            try {
                classesBeside(loader.loadClass(one)).forEach(name -> load(loader, name));
            } catch (IOException | URISyntaxException | ClassNotFoundException noJar) {
                LOG.debug("Classes are loaded when they are needed", noJar);
            }
        }
    }

    private static List<String> classesBeside(Class<?> one) throws IOException, URISyntaxException {
        Path jar = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isRegularFile(jar)) {
            return List.of();
        }
        try (JarFile open = new JarFile(jar.toFile());
                Stream<JarEntry> entries = open.stream()) {
            return entries.map(JarEntry::getName)
                    .filter(EarlyClasses::isClass)
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                    .map(file -> file.replace('/', '.'))
                    .toList();
        }
    }

    private static boolean isClass(String file) {
        return file.endsWith(SUFFIX) && FOLDERS.stream().anyMatch(file::startsWith);
    }

    private static void load(ClassLoader loader, String name) {
        try {
            // To be asked for its constructors makes it complete, but runs nothing of it.
            Constructor<?>[] unused = Class.forName(name, false, loader).getDeclaredConstructors();
        } catch (ClassNotFoundException | LinkageError incomplete) {
            // The engine has parts for libraries that are not here. They are not used either.
            LOG.debug("{} is not loaded", name, incomplete);
        }
    }
}
