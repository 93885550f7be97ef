package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event.Phase;

/** A part of the run for as long as it lasted. */
record PhaseSpan(Phase phase, Span span) {}
