package io.raftlock.chaos.report;

import io.raftlock.chaos.report.FaultBands.Band;
import io.raftlock.chaos.report.NodeRow.Lead;

import java.awt.Color;
import java.util.List;

/** A run from left to right: its phases, faults, data and nodes, all on the same axis of time. */
final class Picture {
    static final int WIDTH = 1_600;
    static final int LEFT = 90;
    static final int RIGHT = WIDTH - 20;

    private static final int TITLE_HEIGHT = 36;
    private static final int PHASE_HEIGHT = 20;
    private static final int GAP = 10;
    private static final int AXIS_HEIGHT = 26;
    private static final int LEGEND_HEIGHT = 28;
    private static final int TEXT_BASE = 14;
    private static final int MOST_FINDINGS = 200;
    private static final Color PHASE = new Color(0xEFEFEF);
    private static final Color PHASE_LINE = new Color(0x909090);

    private final Run run;
    private final List<Long> findingsNanos;
    private final TimeAxis time;
    private final FaultBands faults;
    private final List<Panel> panels;
    private final Canvas canvas;

    private Picture(Run run, List<Long> findingsNanos, List<Panel> panels) {
        this.run = run;
        this.findingsNanos = findingsNanos;
        this.panels = panels;
        time = new TimeAxis(run.span(), LEFT, RIGHT);
        faults = FaultBands.of(run.faults(), time, new Canvas(1, 1));
        canvas = new Canvas(WIDTH, axisTop() + AXIS_HEIGHT + LEGEND_HEIGHT);
    }

    /**
     * Draws a run.
     *
     * @param findingsNanos moments to mark
     * @param panels from the top down
     */
    static Canvas draw(String title, Run run, List<Long> findingsNanos, List<Panel> panels) {
        Picture picture = new Picture(run, findingsNanos, panels);
        picture.drawAll(title);
        return picture.canvas;
    }

    private void drawAll(String title) {
        canvas.font(17, true);
        canvas.text(Canvas.INK, LEFT, 24, Canvas.Anchor.LEFT, title);
        canvas.font(13, false);
        bands();
        drawPanels();
        phases();
        leaderChanges();
        findings();
        faultRows();
        new NodeStrip(canvas, time).draw(run.nodes(), nodesTop());
        axis();
        Legend.draw(canvas, run, LEFT, axisTop() + AXIS_HEIGHT + TEXT_BASE + 3.0);
    }

    static int faultsTop() {
        return TITLE_HEIGHT + PHASE_HEIGHT + 2;
    }

    int panelsTop() {
        return faultsTop() + faults.rows() * FaultBands.ROW_HEIGHT + GAP;
    }

    private int panelsBottom() {
        int heights = panels.stream().mapToInt(panel -> panel.height() + GAP).sum();
        return panelsTop() + heights - GAP;
    }

    private int nodesTop() {
        return panelsBottom() + GAP;
    }

    private int axisTop() {
        return nodesTop() + run.nodes().size() * NodeStrip.ROW_HEIGHT;
    }

    private void bands() {
        for (Band band : faults.bands()) {
            Color color = Colors.faint(Colors.of(band.fault().group()));
            double width = band.toX() - band.fromX();
            canvas.fill(
                    color, band.fromX(), panelsTop(), width, panelsBottom() - (double) panelsTop());
        }
    }

    private void drawPanels() {
        int top = panelsTop();
        for (Panel panel : panels) {
            for (long tick : time.ticks()) {
                canvas.line(Canvas.GRID, time.x(tick), top, time.x(tick), top + panel.height());
            }
            panel.draw(canvas, time, new Box(LEFT, top, RIGHT, top + panel.height()));
            top += panel.height() + GAP;
        }
    }

    private void phases() {
        for (PhaseSpan phase : run.intervals().phases()) {
            double fromX = time.x(phase.span().fromNanos());
            double width = time.x(phase.span().toNanos()) - fromX;
            canvas.fill(PHASE, fromX, TITLE_HEIGHT, width, PHASE_HEIGHT - 2.0);
            canvas.dashed(PHASE_LINE, fromX, TITLE_HEIGHT, axisTop());
            String label = phase.phase().name();
            if (canvas.textWidth(label) < width - 8) {
                canvas.text(
                        Canvas.INK,
                        fromX + 4,
                        TITLE_HEIGHT + (double) TEXT_BASE,
                        Canvas.Anchor.LEFT,
                        label);
            }
        }
    }

    private void leaderChanges() {
        for (Lead change : run.leaderChanges()) {
            double x = time.x(change.span().fromNanos());
            canvas.line(Colors.LEADER_CHANGE, x, panelsTop(), x, axisTop());
        }
    }

    private void findings() {
        findingsNanos.stream()
                .limit(MOST_FINDINGS)
                .mapToDouble(time::x)
                .forEach(
                        x ->
                                canvas.fill(
                                        Colors.FINDING,
                                        x - 1,
                                        TITLE_HEIGHT,
                                        2,
                                        axisTop() - (double) TITLE_HEIGHT));
    }

    private void faultRows() {
        for (Band band : faults.bands()) {
            double y = faultsTop() + band.row() * (double) FaultBands.ROW_HEIGHT;
            double width = band.toX() - band.fromX();
            Color color = Colors.of(band.fault().group());
            canvas.fill(color, band.fromX(), y, width, FaultBands.ROW_HEIGHT - 2.0);
            canvas.text(
                    Canvas.INK, band.labelX(), y + TEXT_BASE - 1, Canvas.Anchor.LEFT, band.label());
        }
    }

    private void axis() {
        for (long tick : time.ticks()) {
            double x = time.x(tick);
            canvas.line(Canvas.INK, x, axisTop(), x, axisTop() + 4.0);
            String label = Texts.number(run.span().secondsAt(tick), 2) + " s";
            canvas.text(Canvas.INK, x, axisTop() + 18.0, Canvas.Anchor.MIDDLE, label);
        }
    }
}
