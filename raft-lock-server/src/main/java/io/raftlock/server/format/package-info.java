/** The state and its commands as bytes: in the log, in snapshots, in digests. */
@NullMarked
package io.raftlock.server.format;

import org.jspecify.annotations.NullMarked;
