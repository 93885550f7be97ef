/** What a person reads after a chaos run, and while it goes on. */
@NullMarked
package io.raftlock.chaos.report;

import org.jspecify.annotations.NullMarked;
