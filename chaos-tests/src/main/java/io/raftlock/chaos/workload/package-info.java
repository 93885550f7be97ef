/** What clients do while faults happen. */
@NullMarked
package io.raftlock.chaos.workload;

import org.jspecify.annotations.NullMarked;
