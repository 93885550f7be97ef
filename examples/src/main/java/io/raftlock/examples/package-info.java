/** Programs that use the client as a user's program would. */
@NullMarked
package io.raftlock.examples;

import org.jspecify.annotations.NullMarked;
