/** What a node counts and measures, for Prometheus to fetch. */
@NullMarked
package io.raftlock.server.metrics;

import org.jspecify.annotations.NullMarked;
