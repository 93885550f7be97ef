/** Closed-loop load on a running cluster. */
@NullMarked
package io.raftlock.bench.load;

import org.jspecify.annotations.NullMarked;
