/** The network between the hosts of one run, and what can be done to it. */
@NullMarked
package io.raftlock.chaos.net;

import org.jspecify.annotations.NullMarked;
