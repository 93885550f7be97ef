/** What can be done to the Linux machine that a run is on, and how all of it is undone. */
@NullMarked
package io.raftlock.chaos.host;

import org.jspecify.annotations.NullMarked;
