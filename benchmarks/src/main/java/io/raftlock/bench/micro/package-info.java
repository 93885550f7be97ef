/** What single pieces cost, by JMH: {@code scripts/microbench}. */
@NullMarked
package io.raftlock.bench.micro;

import org.jspecify.annotations.NullMarked;
