package io.raftlock.bench.scale;

import java.util.regex.Pattern;

/** What {@code -Xlog:gc} prints. */
final class CollectorLog {
    private static final Pattern PAUSE = Pattern.compile("(?m) Pause .* (\\d+\\.\\d+)ms$");

    private CollectorLog() {}

    /** Returns the longest pause; 0 if there was none. */
    static double longestPauseMillis(String log) {
        return PAUSE.matcher(log)
                .results()
                .mapToDouble(line -> Double.parseDouble(line.group(1)))
                .max()
                .orElse(0);
    }
}
