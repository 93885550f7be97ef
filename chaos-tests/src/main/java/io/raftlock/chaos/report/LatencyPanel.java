package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Result;

import java.awt.Color;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** How long each acquire took: a point where it was asked, its height a logarithm. */
final class LatencyPanel implements Panel {
    /** Over this number a spot gets one point. */
    static final int MOST_POINTS = 50_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final int HEIGHT = 500;
    private static final int POINT = 3;
    private static final int LOWEST_POWER = -6;
    private static final Color MINOR = new Color(0xF2F2F2);

    private final List<Call> acquires;
    private final long endNanos;
    private final int lowPower;
    private final int highPower;

    LatencyPanel(Run run) {
        endNanos = run.span().toNanos();
        acquires = run.calls().stream().filter(Call::isAcquire).toList();
        double least = acquires.stream().mapToDouble(this::seconds).min().orElse(0.001);
        double most = acquires.stream().mapToDouble(this::seconds).max().orElse(1);
        lowPower = Math.max(LOWEST_POWER, (int) Math.floor(Math.log10(Math.max(1e-9, least))));
        highPower = Math.max(lowPower + 1, (int) Math.ceil(Math.log10(Math.max(1e-9, most))));
    }

    @Override
    public int height() {
        return HEIGHT;
    }

    @Override
    public void draw(Canvas canvas, TimeAxis time, Box box) {
        scale(canvas, box);
        // What is unknown is rare and comes last, so that nothing lies on it.
        long points =
                points(canvas, time, box, EnumSet.of(Result.OK, Result.FAIL))
                        + points(canvas, time, box, EnumSet.of(Result.INFO));
        canvas.text(
                Canvas.INK,
                box.right(),
                box.top() + 14.0,
                Canvas.Anchor.RIGHT,
                "%s acquires, %s points"
                        .formatted(Texts.count(acquires.size()), Texts.count(points)));
    }

    private long points(Canvas canvas, TimeAxis time, Box box, Set<Result> results) {
        Thinning thinning = new Thinning(acquires.size() > MOST_POINTS ? POINT - 1 : 0);
        double half = POINT / 2.0;
        for (Call call : acquires) {
            double x = time.x(call.asked().atNanos());
            double y = y(seconds(call), box);
            if (results.contains(call.result()) && thinning.admits(x, y)) {
                canvas.fill(Colors.of(call.result()), x - half, y - half, POINT, POINT);
            }
        }
        return thinning.points();
    }

    private double seconds(Call call) {
        return call.span(endNanos).nanos() / NANOS_PER_SECOND;
    }

    /** Returns where a latency is; what is too small to be on the scale is at its bottom. */
    double y(double seconds, Box box) {
        double power = Math.log10(Math.max(Math.pow(10, lowPower), seconds));
        return box.bottom() - (power - lowPower) / (highPower - lowPower) * box.height();
    }

    private void scale(Canvas canvas, Box box) {
        for (int power = lowPower; power <= highPower; power++) {
            double unit = Math.pow(10, power);
            for (int times = 2; times < 10 && power < highPower; times++) {
                double y = y(times * unit, box);
                canvas.line(MINOR, box.left(), y, box.right(), y);
            }
            double y = y(unit, box);
            canvas.line(Canvas.GRID, box.left(), y, box.right(), y);
            canvas.text(Canvas.INK, box.left() - 8.0, y + 5, Canvas.Anchor.RIGHT, label(power));
        }
    }

    private static String label(int power) {
        double seconds = Math.pow(10, power);
        if (power >= 0) {
            return Texts.number(seconds, 0) + " s";
        }
        return power >= -3
                ? Texts.number(seconds * 1e3, 0) + " ms"
                : Texts.number(seconds * 1e6, 0) + " µs";
    }
}
