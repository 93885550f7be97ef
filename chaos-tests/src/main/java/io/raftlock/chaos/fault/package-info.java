/** Does to a cluster what a schedule says, and proves that it had an effect. */
@NullMarked
package io.raftlock.chaos.fault;

import org.jspecify.annotations.NullMarked;
