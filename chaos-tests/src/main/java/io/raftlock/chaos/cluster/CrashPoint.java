package io.raftlock.chaos.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * A moment in the conversation between a client and a node.
 *
 * @param from who sent the frame
 * @param frame number of the frame, among those of that side; the first has 1
 */
public record CrashPoint(Side from, int frame, Cut cut) {
    /** One end of the conversation. */
    public enum Side {
        CLIENT,
        NODE
    }

    /** How much of the frame gets through. */
    public enum Cut {
        NOTHING,
        HALF,
        ALL
    }

    /** Returns all points of the first frames; what a client misses it never has in halves. */
    public static List<CrashPoint> ofFrames(int count) {
        List<CrashPoint> points = new ArrayList<>();
        for (int frame = 1; frame <= count; frame++) {
            for (Cut cut : Cut.values()) {
                points.add(new CrashPoint(Side.CLIENT, frame, cut));
            }
            points.add(new CrashPoint(Side.NODE, frame, Cut.NOTHING));
            points.add(new CrashPoint(Side.NODE, frame, Cut.ALL));
        }
        return points;
    }

    @Override
    public String toString() {
        return "frame %d of the %s, %s of which got through".formatted(frame, from, cut);
    }
}
