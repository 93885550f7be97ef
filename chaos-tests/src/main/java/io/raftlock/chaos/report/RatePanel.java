package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Result;

import java.awt.Color;
import java.awt.geom.Path2D;
import java.util.Arrays;

/** How many calls a second came back with one result; each result has a scale of its own. */
final class RatePanel implements Panel {
    private static final double[] BUCKET_SECONDS = {0.25, 0.5, 1, 2, 5, 10, 20, 60};
    private static final int MOST_BUCKETS = 500;
    private static final double[] NICE = {1, 2, 5, 10};
    private static final int LINES = 4;

    private final int height;
    private final Result result;
    private final Span run;
    private final double bucketSeconds;
    private final long[] counts;

    RatePanel(Run run, Result result, int height) {
        this.height = height;
        this.result = result;
        this.run = run.span();
        bucketSeconds = bucketSeconds(run.span());
        counts = new long[(int) (run.span().seconds() / bucketSeconds) + 1];
        for (Call call : run.calls()) {
            if (call.answer() != null && call.result() == result) {
                counts[bucket(call.answer().atNanos())]++;
            }
        }
    }

    private static double bucketSeconds(Span run) {
        return Arrays.stream(BUCKET_SECONDS)
                .filter(bucket -> run.seconds() / bucket <= MOST_BUCKETS)
                .findFirst()
                .orElse(run.seconds() / MOST_BUCKETS);
    }

    private int bucket(long atNanos) {
        return (int) (run.secondsAt(atNanos) / bucketSeconds);
    }

    @Override
    public int height() {
        return height;
    }

    /** Returns the calls a second at a moment. */
    double at(long atNanos) {
        return counts[bucket(atNanos)] / bucketSeconds;
    }

    @Override
    public void draw(Canvas canvas, TimeAxis time, Box box) {
        double top = top();
        double perPixel = top / (box.height() - 4);
        Path2D area = new Path2D.Double();
        area.moveTo(box.left(), box.bottom());
        for (int at = 0; at < counts.length; at++) {
            double y = box.bottom() - counts[at] / bucketSeconds / perPixel;
            area.lineTo(time.x(borderNanos(at)), y);
            area.lineTo(time.x(borderNanos(at + 1)), y);
        }
        area.lineTo(box.right(), box.bottom());
        area.closePath();
        scale(canvas, box, top, perPixel);
        canvas.shape(Colors.of(result), area);
        canvas.line(Canvas.INK, box.left(), box.bottom(), box.right(), box.bottom());
        canvas.text(
                Canvas.INK,
                box.left() + 6.0,
                box.top() + 14.0,
                Canvas.Anchor.LEFT,
                "%s, calls a second".formatted(result));
    }

    private long borderNanos(int bucket) {
        return run.fromNanos() + (long) (bucket * bucketSeconds * 1e9);
    }

    /** Returns the upper end of the scale: a round number above all rates. */
    private double top() {
        double most = Math.max(1, Arrays.stream(counts).max().orElse(0) / bucketSeconds);
        double unit = Math.pow(10, Math.floor(Math.log10(most)));
        for (double nice : NICE) {
            if (nice * unit >= most) {
                return nice * unit;
            }
        }
        return most;
    }

    private static void scale(Canvas canvas, Box box, double top, double perPixel) {
        for (int line = 0; line <= LINES; line++) {
            double rate = top * line / LINES;
            double y = box.bottom() - rate / perPixel;
            canvas.line(Canvas.GRID, box.left(), y, box.right(), y);
            if (line % 2 == 0) {
                Color ink = Canvas.INK;
                String label = Texts.number(rate, 1);
                canvas.text(ink, box.left() - 8.0, y + 5, Canvas.Anchor.RIGHT, label);
            }
        }
    }
}
