package io.raftlock.chaos.schedule;

import static io.raftlock.chaos.schedule.Role.ALL_CLIENTS;
import static io.raftlock.chaos.schedule.Role.ALL_NODES;
import static io.raftlock.chaos.schedule.Role.CLIENT;
import static io.raftlock.chaos.schedule.Role.EVERYBODY;
import static io.raftlock.chaos.schedule.Role.FOLLOWER;
import static io.raftlock.chaos.schedule.Role.LEADER;
import static io.raftlock.chaos.schedule.Role.MAJORITY;
import static io.raftlock.chaos.schedule.Role.MINORITY;

import java.util.List;

/**
 * A kind of fault. The comments say what its amount is; where none is named it has none. The bounds
 * are for a machine at ease, see {@link #boundMillis}.
 */
public enum FaultKind {
    // -- processes

    /** Killed as by {@code kill -9}, and started again at the end. */
    KILL(1, 5_000, LEADER, FOLLOWER, MINORITY, MAJORITY, ALL_NODES),
    /** Told to stop, so that a leader hands over, and started again at the end. */
    STOP(1, 5_000, LEADER, FOLLOWER),
    /** Stands still by SIGSTOP. */
    PAUSE(2, 5_000, LEADER, FOLLOWER, MINORITY, CLIENT, ALL_CLIENTS),
    /** Stands still by the freezer of cgroups. */
    FREEZE(2, 5_000, LEADER, FOLLOWER, CLIENT),

    // -- links between nodes

    /** Cut off from all other nodes; clients still reach it. */
    ISOLATE(3, 5_000, LEADER, FOLLOWER, MINORITY, MAJORITY),
    /** Two halves, of which one may have a majority; clients reach both. */
    HALVES(3, 10_000, ALL_NODES),
    /** Two sides that share one node, which reaches both. */
    BRIDGE(4, 10_000, ALL_NODES),
    /** Each node reaches its neighbours on a ring only, as many as make a majority. */
    RING(4, 10_000, ALL_NODES),
    /** Hears no other node. */
    DEAF(5, 5_000, LEADER, FOLLOWER),
    /** Is heard by no other node. */
    MUTE(5, 5_000, LEADER, FOLLOWER),
    /** One direction between it and one other node. */
    ONE_WAY(5, 5_000, LEADER, FOLLOWER),
    /** The leader and one client together cut off from all others. */
    STRAND(6, 5_000, LEADER),
    /** All its connections are broken, once. */
    RESET(7, 5_000, LEADER, FOLLOWER, EVERYBODY),
    /** All connections are broken every 300 ms. */
    RESET_STORM(7, 5_000, EVERYBODY),
    /** Percent of packets lost. */
    LOSS(8, 10_000, EVERYBODY),
    /** Percent of packets that come twice. */
    DUPLICATE(8, 10_000, EVERYBODY),
    /** Milliseconds by which packets are late, with half as much jitter. */
    DELAY(9, 10_000, LEADER, EVERYBODY),
    /** Kilobytes a second on each of its links. */
    THROTTLE(9, 10_000, LEADER, EVERYBODY),
    /** What is sent to and from it waits, by clients too, and all comes late. */
    JAM(9, 5_000, LEADER, FOLLOWER, CLIENT),
    /** Links are cut one after the other, and mended in another order. */
    SWIZZLE(10, 10_000, ALL_NODES),

    // -- clocks

    /** Milliseconds by which the wall clock jumps, there and back. */
    WALL_JUMP(11, 2_000, LEADER, FOLLOWER, ALL_NODES, CLIENT, EVERYBODY),
    /** Milliseconds by which the wall clock jumps to and fro all the time. */
    WALL_STROBE(11, 2_000, LEADER, ALL_NODES, CLIENT),
    /** Thousandths by which time goes faster, or slower if it is negative. */
    CLOCK_RATE(12, 5_000, LEADER, FOLLOWER, CLIENT),
    /** Milliseconds by which the monotonic clock jumps forward. */
    CLOCK_JUMP(12, 5_000, LEADER, FOLLOWER, CLIENT),
    /** Killed, and started with a monotonic clock that has another beginning. */
    CLOCK_EPOCH(13, 5_000, LEADER, FOLLOWER),

    // -- processors and disks

    /** Percent of one processor that it gets. */
    STARVE(14, 10_000, LEADER, FOLLOWER),
    /** Milliseconds by which each sync to disk is late. */
    SLOW_DISK(15, 10_000, LEADER, FOLLOWER, ALL_NODES),
    /** Nothing can be written. */
    STALL_DISK(15, 5_000, LEADER, FOLLOWER),
    /** Syncs to disk fail; the node ends itself and is started again. */
    SYNC_ERROR(16, 5_000, LEADER, FOLLOWER),
    /** Writes fail for want of space. */
    DISK_FULL(16, 5_000, LEADER, FOLLOWER),
    /** The disk answers nothing but errors, with the process alive. */
    DEAD_DISK(16, 5_000, LEADER, FOLLOWER),
    /** What was not synced is gone, and the process too. */
    POWER_CUT(17, 5_000, LEADER, FOLLOWER, MAJORITY, ALL_NODES),
    /** Down until the others have thrown away the part of the log that it lacks. */
    SNAPSHOT_INSTALL(20, 5_000, FOLLOWER),

    // -- clients

    /** A client's process is killed, and another one started at the end. */
    CLIENT_KILL(21, 2_000, CLIENT),
    /** A client stops in good order, and another one is started at the end. */
    CLIENT_STOP(21, 2_000, CLIENT),
    /** A client reaches no node. */
    CLIENT_CUT(21, 2_000, CLIENT, ALL_CLIENTS);

    private final int row;
    private final int boundMillis;

    @SuppressWarnings("ImmutableEnumChecker") // List.of makes lists that cannot change.
    private final List<Role> roles;

    FaultKind(int row, int boundMillis, Role... roles) {
        this.row = row;
        this.boundMillis = boundMillis;
        this.roles = List.of(roles);
    }

    /** The row of the fault matrix in {@code docs/chaos.md}. */
    public int row() {
        return row;
    }

    /** Within how many milliseconds a majority that is well, or is so again, gives locks. */
    public int boundMillis() {
        return boundMillis;
    }

    /** Whom it can be for. */
    public List<Role> roles() {
        return roles;
    }

    /** Whether the nodes that it is for are started again at its end. */
    public boolean startsNodes() {
        return this == KILL || this == STOP || this == CLOCK_EPOCH || this == POWER_CUT;
    }

    /** Whether it is done to a node's disk: of these there may be only one at a time. */
    public boolean isOfDisks() {
        return row == 15 || row == 16 || row == 17;
    }

    /**
     * Whether nobody may get a lock for as long as it lasts, as no majority is up and connected, or
     * no client is.
     */
    public boolean mayStopService(Role role) {
        return role == MAJORITY
                || role == ALL_NODES
                || role == ALL_CLIENTS
                || this == SWIZZLE
                || this == RESET_STORM;
    }
}
