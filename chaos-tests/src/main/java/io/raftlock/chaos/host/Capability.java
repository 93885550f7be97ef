package io.raftlock.chaos.host;

/** Something that can be done to a machine, if it allows. */
public enum Capability {
    /** Network namespaces, with pairs of interfaces and bridges between them. */
    NAMESPACES,
    /** Dropping packets, all or some, by who sends them to whom. */
    PACKET_FILTER,
    /** Packets that come twice. */
    PACKET_DUPLICATION,
    /** Packets of one link that wait for their turn. */
    PACKET_THROTTLE,
    /** Ending connections of other processes. */
    SOCKET_KILL,
    /** Disks made of a file, whose power can be cut. */
    LOOP_DISKS,
    /** Stopping all threads of a process by a control group. */
    FREEZER,
    /** Giving a process a part of a processor by a control group. */
    CPU_QUOTA,
    /** Disks that stand still. */
    DISK_FREEZE,
    /** Libraries between one process and its machine, compiled here. */
    SHIMS
}
