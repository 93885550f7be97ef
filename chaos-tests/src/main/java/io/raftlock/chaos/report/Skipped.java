package io.raftlock.chaos.report;

/** What a run did not do, such as a fault that the host cannot make. */
public record Skipped(String what, String why) {}
