package io.raftlock.server.lock;

import io.raftlock.protocol.LockName;

import java.util.List;

/** A held lock at one position of the log; the waiters stand in the order of the queue. */
public record LockRecord(LockName name, Hold hold, List<Claim> waiters) {}
