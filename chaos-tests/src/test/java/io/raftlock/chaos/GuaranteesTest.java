package io.raftlock.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tests that docs/guarantees.md names are there, and no known failure is left out. */
class GuaranteesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern REFERENCE = Pattern.compile("`(\\w+(?:Test|IT))\\.(\\w+)`");
    private static final Pattern CASE = Pattern.compile("^\\| ([HE]\\d+) \\| ");

    /** Those of the numbers up to 48 that stand for a failure which somebody had. */
    private static final List<Integer> NOT_USED = List.of(24, 25, 32, 41, 44, 45, 47);

    @Test
    void everyTestThatIsNamedIsThere() throws IOException {
        Map<String, String> sources = testSources();
        List<String> missing = new ArrayList<>();
        int named = 0;
        Matcher reference = REFERENCE.matcher(document());
        while (reference.find()) {
            named++;
            String source = sources.getOrDefault(reference.group(1), "");
            if (!source.contains("void " + reference.group(2) + "(")) {
                missing.add(reference.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(named).isGreaterThan(100);
    }

    @Test
    void everyKnownFailureHasItsLine() throws IOException {
        List<String> expected =
                Stream.concat(
                                IntStream.rangeClosed(1, 12).mapToObj(number -> "H" + number),
                                IntStream.rangeClosed(13, 48)
                                        .filter(number -> !NOT_USED.contains(number))
                                        .mapToObj(number -> "E" + number))
                        .toList();
        List<String> found =
                document()
                        .lines()
                        .map(CASE::matcher)
                        .filter(Matcher::find)
                        .map(line -> line.group(1))
                        .toList();
        assertThat(found).containsSubsequence(expected);
        assertThat(found).doesNotHaveDuplicates();
    }

    @Test
    void everyLineNamesATestOrSaysWhyThereIsNone() throws IOException {
        assertThat(document().lines().filter(line -> CASE.matcher(line).find()))
                .allMatch(
                        line -> REFERENCE.matcher(line).find() || line.contains("does not apply:"));
    }

    private static String document() throws IOException {
        return Files.readString(ROOT.resolve("docs/guarantees.md"));
    }

    private static Map<String, String> testSources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.collect(Collectors.toList())) {
                Path tests = module.resolve("src/test/java");
                if (Files.isDirectory(tests)) {
                    addSources(tests, sources);
                }
            }
        }
        return sources;
    }

    private static void addSources(Path folder, Map<String, String> sources) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.merge(name, Files.readString(file), String::concat);
            }
        }
    }
}
