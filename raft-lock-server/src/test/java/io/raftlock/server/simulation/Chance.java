package io.raftlock.server.simulation;

import java.util.List;
import java.util.Random;

/** The one source of chance in a simulation. */
final class Chance {
    private static final long MILLI = 1_000_000;

    private final Random random;

    Chance(long seed) {
        random = new Random(scattered(seed));
    }

    /** Seeds that follow each other would begin with nearly the same draws. */
    private static long scattered(long seed) {
        long mixed = (seed + 0x9E37_79B9_7F4A_7C15L) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 31) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 29;
    }

    boolean percent(double percent) {
        return random.nextDouble() * 100 < percent;
    }

    /** Draws from the whole range, both ends included. */
    long between(long low, long high) {
        return low + (long) (random.nextDouble() * (high - low + 1));
    }

    long millisBetween(double low, double high) {
        return (long) ((low + random.nextDouble() * (high - low)) * MILLI);
    }

    <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** A clock within half a percent of true time, so that two differ by at most one percent. */
    DriftingClock clock() {
        double rate = 1 + (random.nextInt(3) - 1) * 0.005 * random.nextDouble();
        // Monotonic clocks begin anywhere, so some of these overflow on the way.
        long origin = percent(30) ? Long.MAX_VALUE - millisBetween(0, 20_000) : random.nextLong();
        return new DriftingClock(rate, origin);
    }

    long number() {
        return random.nextLong();
    }
}
