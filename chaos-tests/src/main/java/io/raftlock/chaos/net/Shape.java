package io.raftlock.chaos.net;

/**
 * What becomes of what a link carries. Nothing is lost for good: the connections of TCP make up for
 * it, or break.
 *
 * @param lossPercent of packets that are dropped
 * @param duplicatePercent of packets that come twice
 * @param delayMillis after which bytes are handed on, at least
 * @param jitterMillis by which the delay varies, at most
 * @param bytesPerSecond that get through; 0 for as many as come
 */
public record Shape(
        int lossPercent,
        int duplicatePercent,
        int delayMillis,
        int jitterMillis,
        int bytesPerSecond) {
    public static final Shape PLAIN = new Shape(0, 0, 0, 0, 0);

    public static Shape loss(int percent, int duplicatePercent) {
        return new Shape(percent, duplicatePercent, 0, 0, 0);
    }

    public static Shape delay(int millis, int jitterMillis) {
        return new Shape(0, 0, millis, jitterMillis, 0);
    }

    public static Shape throttle(int bytesPerSecond) {
        return new Shape(0, 0, 0, 0, bytesPerSecond);
    }
}
