/** A cluster of real node processes on this machine, and the faults that befall processes. */
@NullMarked
package io.raftlock.chaos.cluster;

import org.jspecify.annotations.NullMarked;
