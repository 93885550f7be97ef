/**
 * The whole core in one thread and in virtual time: the real lock state machine and the real
 * ticker, under a simulated log, network, clocks and clients. The schedule is the whole input, so
 * every failure can be replayed.
 */
package io.raftlock.server.simulation;
