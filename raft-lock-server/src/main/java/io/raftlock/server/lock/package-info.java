/**
 * The lock state machine: a function of the log. Nothing here reads a clock, draws a number, starts
 * a thread, does I/O or knows a configuration; whatever a decision needs stands in the command.
 */
@NullMarked
package io.raftlock.server.lock;

import org.jspecify.annotations.NullMarked;
