package io.raftlock.bench.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Groups of horizontal bars as SVG, on a linear scale that begins at 0. */
final class BarChart {
    private static final int WIDTH = 900;
    private static final int LABELS = 220;
    private static final int FIGURES = 110;
    private static final int BAR = 18;
    private static final int GAP = 14;
    private static final int HEAD = 40;

    /** One bar. */
    record Bar(String label, double value, boolean isOwn) {}

    /** Bars that are compared with each other, on a scale of their own. */
    record Group(String title, List<Bar> bars) {
        Group {
            bars = List.copyOf(bars);
        }
    }

    private BarChart() {}

    /** Returns the text of the file. */
    static String svg(String title, List<Group> groups) {
        List<String> lines = new ArrayList<>();
        int y = HEAD;
        for (Group group : groups) {
            y = draw(group, y, lines);
        }
        lines.add(
                0,
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
                <rect width="100%%" height="100%%" fill="white"/>
                <text x="10" y="24" font-size="16">%s</text>
                """
                        .formatted(WIDTH, y, title)
                        .stripTrailing());
        lines.add("</svg>");
        return String.join("\n", lines) + "\n";
    }

    private static int draw(Group group, int top, List<String> lines) {
        double most = group.bars().stream().mapToDouble(Bar::value).max().orElse(1);
        int y = top + BAR;
        lines.add(text(10, y, group.title(), "font-weight=\"bold\""));
        for (Bar bar : group.bars()) {
            int length = (int) Math.round(bar.value() / most * (WIDTH - LABELS - FIGURES));
            y += BAR;
            lines.add(text(20, y, bar.label(), ""));
            lines.add(
                    "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
                            .formatted(
                                    LABELS,
                                    y - BAR + 6,
                                    Math.max(1, length),
                                    BAR - 4,
                                    bar.isOwn() ? "#1f6feb" : "#9aa4af"));
            lines.add(
                    text(
                            LABELS + length + 6,
                            y,
                            String.format(Locale.ROOT, "%,.0f", bar.value()),
                            ""));
        }
        return y + GAP;
    }

    private static String text(int x, int y, String text, String more) {
        return "<text x=\"%d\" y=\"%d\" %s>%s</text>"
                .formatted(x, y, more, text.replace("&", "&amp;").replace("<", "&lt;"));
    }
}
