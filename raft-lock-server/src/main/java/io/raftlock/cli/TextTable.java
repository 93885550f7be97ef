package io.raftlock.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Columns that are aligned by spaces. */
final class TextTable {
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();
    private final Collection<String> numeric;

    /**
     * @param numeric the columns of the header that are aligned to the right
     */
    TextTable(List<String> header, Collection<String> numeric) {
        this.numeric = numeric;
        rows.add(header);
    }

    /** A row shorter than the header ends in a cell that may be wider than its column. */
    void add(List<String> cells) {
        rows.add(cells);
    }

    List<String> lines() {
        int[] widths = widths();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private int[] widths() {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            int aligned = row.size() < columns ? row.size() - 1 : columns;
            for (int at = 0; at < aligned; at++) {
                widths[at] = Math.max(widths[at], row.get(at).length());
            }
        }
        return widths;
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int at = 0; at < row.size(); at++) {
            String cell = row.get(at);
            String padding = " ".repeat(Math.max(0, widths[at] - cell.length()));
            line.append(at == 0 ? "" : GAP).append(isNumeric(at) ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private boolean isNumeric(int column) {
        return numeric.contains(rows.get(0).get(column));
    }
}
