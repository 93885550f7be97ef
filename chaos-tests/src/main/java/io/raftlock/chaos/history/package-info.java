/** What clients saw, by the monotonic clock of the process that they share. */
@NullMarked
package io.raftlock.chaos.history;

import org.jspecify.annotations.NullMarked;
