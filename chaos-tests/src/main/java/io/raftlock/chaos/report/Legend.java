package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Result;

import java.awt.Color;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Says in one line below a picture what its colours mean. */
final class Legend {
    private static final int SWATCH = 12;
    private static final int SPACE = 18;
    private static final int TEXT_SPACE = 5;

    private Legend() {}

    static void draw(Canvas canvas, Run run, double left, double base) {
        double x = left;
        for (Map.Entry<String, Color> entry : entries(run).entrySet()) {
            canvas.fill(entry.getValue(), x, base - SWATCH + 2, SWATCH, SWATCH);
            x += SWATCH + TEXT_SPACE;
            canvas.text(Canvas.INK, x, base, Canvas.Anchor.LEFT, entry.getKey());
            x += canvas.textWidth(entry.getKey()) + SPACE;
        }
    }

    private static Map<String, Color> entries(Run run) {
        Map<String, Color> entries = new LinkedHashMap<>();
        for (Result result : Result.values()) {
            entries.put(result.name().toLowerCase(Locale.ROOT), Colors.of(result));
        }
        run.faults().stream()
                .map(FaultSpan::group)
                .distinct()
                .sorted()
                .forEach(group -> entries.put("fault: " + group.label(), Colors.of(group)));
        entries.put("finding", Colors.FINDING);
        entries.put("leader change", Colors.LEADER_CHANGE);
        entries.put("leads", Colors.LEADS);
        entries.put("up", Colors.UP);
        entries.put("down", Colors.DOWN);
        entries.put("node paused", Colors.STILL);
        return entries;
    }
}
