package io.raftlock.chaos.report;

/** Data over time: one part of a picture. */
interface Panel {
    /** Returns how high it is, in pixels. */
    int height();

    /** Draws scale and data into a box of that height, above the bands that are there. */
    void draw(Canvas canvas, TimeAxis time, Box box);
}
