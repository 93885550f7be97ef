/** Exact checks of what clients saw. */
@NullMarked
package io.raftlock.chaos.checker;

import org.jspecify.annotations.NullMarked;
