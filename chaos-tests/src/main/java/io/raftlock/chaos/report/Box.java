package io.raftlock.chaos.report;

/** A part of a picture, in pixels. */
record Box(int left, int top, int right, int bottom) {
    int height() {
        return bottom - top;
    }
}
