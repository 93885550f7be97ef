/**
 * The Raft transport: JRaft's {@code RaftRpcFactory} over Netty, in place of Bolt.
 *
 * <p>What must hold for threads. JRaft connects to a peer while it holds the node's write lock, and
 * append requests and their answers are handled on I/O threads, which wait for that lock. So that
 * no such connect ever waits for a thread that waits for the lock:
 *
 * <ol>
 *   <li>Inbound and outbound connections have separate event loops, and a connect needs no answer
 *       from the peer's process: it is done when TCP is connected.
 *   <li>Every peer has its own outbound loop, and that loop runs Raft code for one reason only: an
 *       answer to an append request came in. Then the connection is up, and connecting to that peer
 *       returns without waiting.
 *   <li>Failures and timeouts of calls, and the news that a peer is connected, are told on other
 *       threads, never on the loop.
 *   <li>Calls and answers are written by the threads that make them, which never wait for that:
 *       what a socket does not take at once goes to the loop.
 *   <li>All waits are bounded by the connect timeout, should a rule break all the same.
 * </ol>
 */
@NullMarked
package io.raftlock.server.raft.transport;

import org.jspecify.annotations.NullMarked;
