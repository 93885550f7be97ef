/** The storage behind the locks: what a fencing token is for. */
@NullMarked
package io.raftlock.chaos.store;

import org.jspecify.annotations.NullMarked;
