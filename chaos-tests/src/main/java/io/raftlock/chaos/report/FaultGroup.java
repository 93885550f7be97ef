package io.raftlock.chaos.report;

import io.raftlock.chaos.schedule.FaultKind;

import java.util.Locale;

/** Faults that have one colour in the pictures. */
enum FaultGroup {
    KILL(0xE9A4A0),
    PAUSE(0xA0B1E9),
    PARTITION(0xE9DCA0),
    CLOCK(0xA0E9E3),
    PACKET(0xD1E8A0),
    DISK(0xC8A0E9),
    CLIENT(0xC0C0C0);

    private final int rgb;

    FaultGroup(int rgb) {
        this.rgb = rgb;
    }

    int rgb() {
        return rgb;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static FaultGroup of(FaultKind kind) {
        return switch (kind) {
            case KILL, STOP, SNAPSHOT_INSTALL -> KILL;
            case PAUSE, FREEZE, STARVE -> PAUSE;
            case ISOLATE, HALVES, BRIDGE, RING, DEAF, MUTE, ONE_WAY, STRAND, SWIZZLE -> PARTITION;
            case RESET, RESET_STORM, LOSS, DUPLICATE, DELAY, THROTTLE, JAM -> PACKET;
            case WALL_JUMP, WALL_STROBE, CLOCK_RATE, CLOCK_JUMP, CLOCK_EPOCH -> CLOCK;
            case SLOW_DISK, STALL_DISK, SYNC_ERROR, DISK_FULL, DEAD_DISK, POWER_CUT -> DISK;
            case CLIENT_KILL, CLIENT_STOP, CLIENT_CUT -> CLIENT;
        };
    }
}
