package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.List;

/** Plain text that is not wider than a terminal, and does nothing else to one. */
final class TextLines {
    static final int WIDTH = 100;

    private static final int GAP = 2;
    private static final int LEAST_WIDTH = 40;
    private static final String LEAST_LEAD = "    ";

    private final StringBuilder text = new StringBuilder();

    /** Adds a line that may be wider, for what must be copied whole. */
    TextLines whole(String line) {
        text.append(printable(line)).append('\n');
        return this;
    }

    TextLines heading(String title) {
        return whole("").whole(title);
    }

    /** Adds a paragraph: its first line after a lead, and the others below the first. */
    TextLines paragraph(String lead, String words) {
        if (lead.length() > WIDTH - LEAST_WIDTH) {
            return paragraph(LEAST_LEAD, lead + words);
        }
        StringBuilder line = new StringBuilder(lead);
        boolean isFresh = true;
        for (String word : printable(words).strip().split("\\s+", -1)) {
            for (String part : parts(word, WIDTH - lead.length())) {
                if (!isFresh && line.length() + 1 + part.length() > WIDTH) {
                    whole(line.toString());
                    line = new StringBuilder(" ".repeat(lead.length()));
                    isFresh = true;
                }
                line.append(isFresh ? "" : " ").append(part);
                isFresh = false;
            }
        }
        return whole(line.toString());
    }

    /** Adds rows of cells: the first column to the left, the others to the right. */
    TextLines table(List<List<String>> rows) {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int at = 0; at < widths.length; at++) {
                widths[at] = Math.max(widths[at], row.get(at).length());
            }
        }
        rows.forEach(row -> whole(line(row, widths)));
        return this;
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder(" ".repeat(GAP));
        for (int at = 0; at < widths.length; at++) {
            String padding = " ".repeat(widths[at] - row.get(at).length());
            line.append(at == 0 ? row.get(at) + padding : padding + row.get(at));
            line.append(" ".repeat(GAP));
        }
        return line.toString().stripTrailing();
    }

    private static List<String> parts(String word, int width) {
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < word.length(); at += width) {
            parts.add(word.substring(at, Math.min(word.length(), at + width)));
        }
        return parts;
    }

    /** What a terminal could take for a command is left out; what parts words stays. */
    private static String printable(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\s]]", "?").replaceAll("[\\s&&[^ ]]", " ");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
