/** Lock services as their own clients reach them, behind one interface. */
@NullMarked
package io.raftlock.bench.peer;

import org.jspecify.annotations.NullMarked;
