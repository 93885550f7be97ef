package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Result;

import java.awt.Color;

/** What colours mean in the pictures. */
final class Colors {
    static final Color FINDING = new Color(0xD00000);
    static final Color LEADER_CHANGE = new Color(0x2E5FA3);
    static final Color UP = new Color(0xCFE8CF);
    static final Color DOWN = new Color(0x6B6B6B);
    static final Color STILL = new Color(0xA0B1E9);
    static final Color LEADS = new Color(0x2E7D32);

    private static final int FAINT = 0x60;

    private Colors() {}

    static Color of(Result result) {
        return switch (result) {
            case OK -> new Color(0x81BFFC);
            case INFO -> new Color(0xFFA400);
            case FAIL -> new Color(0xFF1E90);
        };
    }

    static Color of(FaultGroup group) {
        return new Color(group.rgb());
    }

    /** Returns the colour for behind the data, which lets other faints be seen through it. */
    static Color faint(Color color) {
        return new Color(color.getRed(), color.getGreen(), color.getBlue(), FAINT);
    }
}
