/** The servers of the systems that are compared, as processes on this machine. */
@NullMarked
package io.raftlock.bench.server;

import org.jspecify.annotations.NullMarked;
