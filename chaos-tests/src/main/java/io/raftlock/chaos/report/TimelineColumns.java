package io.raftlock.chaos.report;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where the columns of the page are: faults first, then nodes, clients, the store and notes. Of the
 * clients those with findings come first.
 */
final class TimelineColumns {
    private static final int GUTTER = 96;
    private static final int NARROW = 120;
    private static final int WIDE = 246;
    private static final int GAP = 4;

    private final Map<String, String> places = new LinkedHashMap<>();
    private int width = GUTTER;

    private TimelineColumns() {}

    /** Columns of clients, faults and the store are there if they have something in them. */
    static TimelineColumns of(Run run, TimelineChoice choice, List<TimelineItem> items) {
        Set<String> used = items.stream().map(TimelineItem::column).collect(Collectors.toSet());
        Set<String> found =
                items.stream()
                        .filter(TimelineItem::isFound)
                        .map(TimelineItem::column)
                        .collect(Collectors.toSet());
        TimelineColumns columns = new TimelineColumns();
        for (int at = 0; used.contains(HostItems.faultColumn(at)); at++) {
            columns.add(HostItems.faultColumn(at), NARROW);
        }
        run.nodes().forEach(node -> columns.add(node.node(), NARROW));
        choice.calls().stream()
                .sorted(
                        Comparator.comparing((Call call) -> !found.contains(CallItems.column(call)))
                                .thenComparing(call -> call.asked().client())
                                .thenComparing(call -> call.asked().actor()))
                .map(CallItems::column)
                .distinct()
                .forEach(name -> columns.add(name, WIDE));
        Stream.of(HostItems.STORE, HostItems.NOTES)
                .filter(used::contains)
                .forEach(name -> columns.add(name, WIDE));
        return columns;
    }

    private void add(String name, int wide) {
        places.put(name, "left:%dpx;width:%dpx".formatted(width, wide));
        width += wide + GAP;
    }

    Set<String> names() {
        return places.keySet();
    }

    /**
     * Returns the place of a column as a style.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    String place(String name) {
        String place = places.get(name);
        if (place == null) {
            throw new IllegalArgumentException("no column is called " + name);
        }
        return place;
    }

    /** Returns the width of all together, in pixels. */
    int width() {
        return width;
    }
}
