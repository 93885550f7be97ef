/** The engine: the log that is replicated, and the state that it makes. The one user of JRaft. */
@NullMarked
package io.raftlock.server.raft;

import org.jspecify.annotations.NullMarked;
