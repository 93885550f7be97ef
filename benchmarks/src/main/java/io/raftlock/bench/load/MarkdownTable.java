package io.raftlock.bench.load;

import java.util.List;

/** A table as Markdown. */
public final class MarkdownTable {
    private final StringBuilder text = new StringBuilder();

    public MarkdownTable(List<String> head) {
        row(head);
        row(head.stream().map(each -> "---").toList());
    }

    /** Adds a row. */
    public void row(List<String> parts) {
        text.append("| ").append(String.join(" | ", parts)).append(" |\n");
    }

    /** Returns it, with the end of its last line. */
    public String text() {
        return text.toString();
    }
}
