package io.raftlock.bench.scale;

import io.raftlock.bench.load.MarkdownTable;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** All results: printed as they come, and written as a table and as rows. */
final class Report {
    private final Path folder;
    private final PrintStream out;
    private final List<Figure> figures = new ArrayList<>();

    Report(Path folder, PrintStream out) {
        this.folder = folder;
        this.out = out;
    }

    /** The figures of one scenario with a state of one size. */
    final class Part {
        private final String scenario;
        private final long size;

        private Part(String scenario, long size) {
            this.scenario = scenario;
            this.size = size;
        }

        void add(String what, double value, String unit) {
            add(what, value, unit, OptionalDouble.empty());
        }

        /** As {@link #add}, of something that is promised. */
        void addBounded(String what, double value, String unit, double atMost) {
            add(what, value, unit, OptionalDouble.of(atMost));
        }

        private void add(String what, double value, String unit, OptionalDouble atMost) {
            Figure figure = new Figure(scenario, size, what, value, unit, atMost);
            figures.add(figure);
            out.println(figure.line());
        }
    }

    Part part(String scenario, long size) {
        out.printf(Locale.ROOT, "%s: %,d%n", scenario, size);
        return new Part(scenario, size);
    }

    /** Writes {@code results.md} and {@code rows.csv}, in place of those before. */
    void write() throws IOException {
        Files.writeString(folder.resolve("results.md"), table());
        List<String> rows = new ArrayList<>(List.of(Figure.csvHead()));
        figures.forEach(figure -> rows.add(figure.csv()));
        Files.write(folder.resolve("rows.csv"), rows);
    }

    private String table() {
        MarkdownTable table =
                new MarkdownTable(
                        List.of("scenario", "size", "figure", "value", "unit", "at most", "so"));
        for (Figure figure : figures) {
            table.row(
                    List.of(
                            figure.scenario(),
                            Figure.text((double) figure.size()),
                            figure.what(),
                            Figure.text(figure.value()),
                            figure.unit(),
                            figure.atMost().isEmpty()
                                    ? ""
                                    : Figure.text(figure.atMost().getAsDouble()),
                            figure.verdict()));
        }
        return table.text();
    }
}
