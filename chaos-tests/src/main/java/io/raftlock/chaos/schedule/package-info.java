/** What is done to a cluster and when: data, drawn from a seed, and made smaller. */
@NullMarked
package io.raftlock.chaos.schedule;

import org.jspecify.annotations.NullMarked;
