package io.raftlock.chaos.run;

/**
 * What a run of the build came to.
 *
 * @param isGood whether it did what it has to
 * @param why the first things to know of it, in few lines, whatever it did
 */
public record Trial(boolean isGood, String why) {}
