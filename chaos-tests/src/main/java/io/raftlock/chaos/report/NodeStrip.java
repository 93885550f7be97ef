package io.raftlock.chaos.report;

import io.raftlock.chaos.report.NodeRow.Lead;

import java.awt.Color;
import java.util.List;

/** Draws a row for each node: when it was up, paused or leader. */
final class NodeStrip {
    static final int ROW_HEIGHT = 26;

    private static final int GAP = 4;
    private static final int TEXT_BASE = 17;
    private static final int STILL_HEIGHT = 6;
    private static final int LABEL_SPACE = 6;

    private final Canvas canvas;
    private final TimeAxis time;

    NodeStrip(Canvas canvas, TimeAxis time) {
        this.canvas = canvas;
        this.time = time;
    }

    void draw(List<NodeRow> nodes, int top) {
        int y = top;
        for (NodeRow node : nodes) {
            row(node, y);
            y += ROW_HEIGHT;
        }
    }

    private void row(NodeRow node, int y) {
        int height = ROW_HEIGHT - GAP;
        canvas.text(Canvas.INK, time.left() - 8.0, y + TEXT_BASE, Canvas.Anchor.RIGHT, node.node());
        bar(Colors.DOWN, time.run(), y, height);
        node.up().forEach(span -> bar(Colors.UP, span, y, height));
        node.leads().forEach(lead -> lead(lead, y, height));
        node.still()
                .forEach(span -> bar(Colors.STILL, span, y + height - STILL_HEIGHT, STILL_HEIGHT));
    }

    private void lead(Lead lead, int y, int height) {
        bar(Colors.LEADS, lead.span(), y, height);
        double room = time.x(lead.span().toNanos()) - time.x(lead.span().fromNanos());
        String term = "term " + lead.term();
        String label = canvas.textWidth(term) + LABEL_SPACE < room ? term : "" + lead.term();
        if (canvas.textWidth(label) + LABEL_SPACE < room) {
            double x = time.x(lead.span().fromNanos()) + LABEL_SPACE / 2.0;
            canvas.text(Color.WHITE, x, y + TEXT_BASE - 2.0, Canvas.Anchor.LEFT, label);
        }
    }

    private void bar(Color color, Span span, double y, double height) {
        double fromX = time.x(span.fromNanos());
        canvas.fill(color, fromX, y, Math.max(1, time.x(span.toNanos()) - fromX), height);
    }
}
