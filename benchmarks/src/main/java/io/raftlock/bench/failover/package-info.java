/** How long clients get no locks when the leader fails. */
@NullMarked
package io.raftlock.bench.failover;

import org.jspecify.annotations.NullMarked;
