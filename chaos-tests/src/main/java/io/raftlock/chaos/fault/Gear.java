package io.raftlock.chaos.fault;

import io.raftlock.chaos.host.ClockShim;
import io.raftlock.chaos.host.FsShim;
import io.raftlock.chaos.host.LoopDisk;

import java.util.Optional;

/**
 * A process, and what there is to make it see a worse machine than it has.
 *
 * @param clock by which its clocks are set, if it has that library
 * @param files by which its syncs and writes fail, if it has that library; of nodes alone
 * @param disk of its own, if it has one; of nodes alone
 */
public record Gear(
        Victim victim, Optional<ClockShim> clock, Optional<FsShim> files, Optional<LoopDisk> disk) {
    ClockShim requireClock() {
        return clock.orElseThrow(() -> new IllegalStateException(victim.name() + " has no clock"));
    }

    FsShim requireFiles() {
        return files.orElseThrow(() -> new IllegalStateException(victim.name() + " has no shim"));
    }

    LoopDisk requireDisk() {
        return disk.orElseThrow(() -> new IllegalStateException(victim.name() + " has no disk"));
    }
}
