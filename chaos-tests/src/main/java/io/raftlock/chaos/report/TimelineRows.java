package io.raftlock.chaos.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where moments are on the page, from the top. Later is never higher; but time is stretched where
 * much happens, so that each block can be read, and shortened where nothing does.
 */
final class TimelineRows {
    static final int LEAST_HEIGHT = 14;

    private static final int MOST_BETWEEN = 40;
    private static final double PIXELS_PER_NANO = 1e-6;

    private final long[] moments;
    private final int[] tops;

    /** A moment at which a block begins or ends. */
    private record Border(long atNanos, boolean isEnd, TimelineItem item) {}

    TimelineRows(List<TimelineItem> items, List<Long> others) {
        List<Border> borders = new ArrayList<>();
        for (TimelineItem item : items) {
            borders.add(new Border(item.span().fromNanos(), false, item));
            if (!item.isMoment()) {
                borders.add(new Border(item.span().toNanos(), true, item));
            }
        }
        borders.sort(Comparator.comparingLong(Border::atNanos));
        List<Long> placed = new ArrayList<>(others);
        borders.forEach(border -> placed.add(border.atNanos()));
        moments = placed.stream().mapToLong(Long::longValue).distinct().sorted().toArray();
        tops = tops(borders);
    }

    private int[] tops(List<Border> borders) {
        int[] found = new int[moments.length];
        Map<String, Integer> freeFrom = new HashMap<>();
        IdentityHashMap<TimelineItem, Integer> begun = new IdentityHashMap<>();
        int next = 0;
        for (int at = 0; at < moments.length; at++) {
            int first = next;
            int top = at == 0 ? 0 : found[at - 1] + between(moments[at] - moments[at - 1]);
            for (; next < borders.size() && borders.get(next).atNanos() == moments[at]; next++) {
                top = Math.max(top, lowest(borders.get(next), freeFrom, begun));
            }
            for (Border border : borders.subList(first, next)) {
                place(border, top, freeFrom, begun);
            }
            found[at] = top;
        }
        return found;
    }

    private static int between(long nanos) {
        return (int) Math.min(MOST_BETWEEN, Math.max(1, nanos * PIXELS_PER_NANO));
    }

    private static int lowest(
            Border border,
            Map<String, Integer> freeFrom,
            IdentityHashMap<TimelineItem, Integer> begun) {
        return border.isEnd()
                ? begun.getOrDefault(border.item(), 0) + LEAST_HEIGHT
                : freeFrom.getOrDefault(border.item().column(), 0);
    }

    private static void place(
            Border border,
            int top,
            Map<String, Integer> freeFrom,
            IdentityHashMap<TimelineItem, Integer> begun) {
        TimelineItem item = border.item();
        if (border.isEnd()) {
            freeFrom.merge(item.column(), top, Math::max);
        } else if (item.isMoment()) {
            freeFrom.merge(item.column(), top + LEAST_HEIGHT, Math::max);
        } else {
            begun.put(item, top);
        }
    }

    /** Returns where a moment is, in pixels; one that no block has is with the one before. */
    int top(long atNanos) {
        int found = Arrays.binarySearch(moments, atNanos);
        int place = found >= 0 ? found : Math.max(0, -found - 2);
        return moments.length == 0 ? 0 : tops[place];
    }

    /** Returns all moments that have a place. */
    long[] moments() {
        return moments;
    }

    int height() {
        return moments.length == 0 ? 0 : tops[tops.length - 1] + MOST_BETWEEN;
    }
}
