/** Runs of the chaos tests: sets a cluster up, breaks it, and has it judged. */
@NullMarked
package io.raftlock.chaos.run;

import org.jspecify.annotations.NullMarked;
