package io.raftlock.chaos.report;

/**
 * How the calls of one action ended.
 *
 * @param open those that were not answered before the run ended
 */
public record OperationCount(String action, long ok, long fail, long info, long open) {}
