package io.raftlock.server.lock;

import io.raftlock.protocol.SessionId;

/** Who can hold a lock: one thread or handle of one session. */
record Owner(SessionId session, long number) {}
