/** Programs that use the locks as processes of their own, and the driver's side of them. */
@NullMarked
package io.raftlock.chaos.client;

import org.jspecify.annotations.NullMarked;
