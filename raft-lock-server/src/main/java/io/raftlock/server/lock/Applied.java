package io.raftlock.server.lock;

import java.util.List;

/** The effect of one entry: an outcome for each of its commands, and whom else to tell. */
public record Applied(List<Outcome> outcomes, List<Notice> notices) {}
