/** The same load on several systems in turn, and tables and plots of what they did. */
@NullMarked
package io.raftlock.bench.compare;

import org.jspecify.annotations.NullMarked;
