/** How a cluster bears many sessions, locks, names and waiters. */
@NullMarked
package io.raftlock.bench.scale;

import org.jspecify.annotations.NullMarked;
