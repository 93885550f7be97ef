package io.raftlock.bench.scale;

import java.io.IOException;

/** What a cluster bears while something else is measured. Owned by one thread. */
interface Ballast extends AutoCloseable {

    /**
     * Adds as many as are missing to that many, and returns when the cluster has them.
     *
     * @throws io.raftlock.bench.load.LoadFailure if it has not in time
     */
    void growTo(int total) throws IOException, InterruptedException;

    @Override
    void close();
}
