package io.raftlock.chaos.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * For how long nobody may get a lock, in and after each step of a schedule. A fault that leaves a
 * majority up and connected has the bound of its kind. One that may not, or that meets another one,
 * has it from the end of all that meet.
 */
public final class Bounds {
    /** Nodes that start at once share the machine's processors. */
    private static final int START_MILLIS = 1_000;

    private Bounds() {}

    private record Window(Step step, long fromMillis, long toMillis) {
        boolean meets(Window other) {
            return fromMillis <= other.toMillis && other.fromMillis <= toMillis;
        }

        Window with(Window other) {
            return new Window(
                    step,
                    Math.min(fromMillis, other.fromMillis),
                    Math.max(toMillis, other.toMillis));
        }
    }

    /**
     * Returns the bounds by the numbers of the steps.
     *
     * @param slowness by which the bounds of the kinds are multiplied
     */
    public static Map<Integer, Duration> of(Schedule schedule, double slowness) {
        List<Window> windows = windows(schedule);
        Map<Integer, Duration> bounds = new HashMap<>();
        for (int i = 0; i < windows.size(); i++) {
            Window own = windows.get(i);
            Window all = together(own, windows);
            boolean isAlone = windows.stream().filter(own::meets).count() == 1;
            boolean goesOn = isAlone && !own.step.kind().mayStopService(own.step.role());
            long waitMillis = goesOn ? 0 : all.toMillis - own.fromMillis;
            long startMillis =
                    windows.stream()
                            .filter(all::meets)
                            .mapToLong(each -> startMillis(each.step, schedule.nodes()))
                            .max()
                            .orElseThrow();
            long boundMillis = own.step.kind().boundMillis() + startMillis;
            bounds.put(i, Duration.ofMillis(waitMillis + (long) (boundMillis * slowness)));
        }
        return bounds;
    }

    /** What nodes need to start without which there is no majority. */
    private static long startMillis(Step step, int nodes) {
        if (!step.kind().startsNodes()) {
            return 0;
        }
        return switch (step.role()) {
            case MAJORITY -> START_MILLIS * (nodes / 2 + 1L);
            case ALL_NODES -> (long) START_MILLIS * nodes;
            case LEADER, FOLLOWER, MINORITY, CLIENT, ALL_CLIENTS, EVERYBODY -> 0;
        };
    }

    private static List<Window> windows(Schedule schedule) {
        List<Window> windows = new ArrayList<>();
        long at = 0;
        for (Step step : schedule.steps()) {
            at += step.afterMillis();
            windows.add(new Window(step, at, at + step.holdMillis()));
        }
        return windows;
    }

    /** Returns the time from the first to the last of those that meet it, or one of them. */
    private static Window together(Window own, List<Window> windows) {
        Window all = own;
        Window before;
        do {
            before = all;
            for (Window other : windows) {
                all = other.meets(all) ? all.with(other) : all;
            }
        } while (!all.equals(before));
        return all;
    }
}
