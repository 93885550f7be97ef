package io.raftlock.chaos.report;

import java.util.List;

/**
 * What became of one node.
 *
 * @param up while its process was there
 * @param leads while it said that it leads, by its own word
 * @param still while it was paused
 */
record NodeRow(String node, List<Span> up, List<Lead> leads, List<Span> still) {
    /** A time in which a node said that it leads. */
    record Lead(String node, long term, Span span) {}
}
