/**
 * Time. What a leader alone decides by its own monotonic clock: which sessions and leases have run
 * out, and how far the cluster clock is. It decides nothing for good: it proposes, the log decides.
 */
@NullMarked
package io.raftlock.server.session;

import org.jspecify.annotations.NullMarked;
