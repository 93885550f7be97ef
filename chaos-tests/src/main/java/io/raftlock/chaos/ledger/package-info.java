/** What the journals of all nodes say was committed, and what a clean state machine makes of it. */
@NullMarked
package io.raftlock.chaos.ledger;

import org.jspecify.annotations.NullMarked;
