/** The nodes of a chaos run: their processes, and what they tell of themselves. */
@NullMarked
package io.raftlock.chaos.node;

import org.jspecify.annotations.NullMarked;
