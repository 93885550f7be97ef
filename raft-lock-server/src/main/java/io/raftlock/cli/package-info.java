/** The command line: one class for each command. */
@NullMarked
package io.raftlock.cli;

import org.jspecify.annotations.NullMarked;
