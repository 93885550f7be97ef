/**
 * Connections that any thread can write to, as both ports need them: that of the peers and that of
 * the clients. Reading belongs to a connection's event loop.
 */
@NullMarked
package io.raftlock.server.wire;

import org.jspecify.annotations.NullMarked;
