package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The tools that are written in C, compiled for this machine.
 *
 * @param clockShim library that gives a process clocks of its own
 * @param fsShim library that lets a process's syncs and writes fail
 * @param godown program that turns the power of a disk off
 */
public record NativeTools(Path clockShim, Path fsShim, Path godown) {
    private static final List<String> COMPILER =
            List.of("gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror");
    private static final List<String> AS_LIBRARY = List.of("-shared", "-fPIC", "-pthread");
    private static final String HEADER = "control.h";
    private static final List<String> LIBRARIES = List.of("-ldl");

    /**
     * Compiles them with gcc.
     *
     * @param folder to compile into; is made if it is not there
     * @throws ProgramFailedException if gcc is not there or does not like them
     */
    public static NativeTools compile(Path folder) {
        try {
            Files.createDirectories(folder);
            copySource(folder.resolve(HEADER));
            return new NativeTools(
                    compile(folder, "clockshim", "clockshim.so", AS_LIBRARY),
                    compile(folder, "fsshim", "fsshim.so", AS_LIBRARY),
                    compile(folder, "godown", "godown", List.of()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path compile(Path folder, String name, String result, List<String> flags)
            throws IOException {
        Path source = folder.resolve(name + ".c");
        Path compiled = folder.resolve(result).toAbsolutePath();
        copySource(source);
        List<String> command = new ArrayList<>(COMPILER);
        command.addAll(flags);
        command.addAll(List.of("-o", compiled.toString(), source.toString()));
        command.addAll(LIBRARIES);
        Programs.check(command);
        return compiled;
    }

    private static void copySource(Path target) throws IOException {
        String resource = "/native/" + target.getFileName();
        try (InputStream in = NativeTools.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("not in this program: " + resource);
            }
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
