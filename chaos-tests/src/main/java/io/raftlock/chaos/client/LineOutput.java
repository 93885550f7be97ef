package io.raftlock.chaos.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The client's way to the driver: a line is out of the process when {@link #write} returns, so it
 * outlives a kill. For use by any thread.
 */
final class LineOutput {
    private final ReentrantLock turn = new ReentrantLock();
    private final OutputStream out;
    private final Runnable whenBroken;

    /**
     * @param whenBroken is run if nobody reads any more
     */
    LineOutput(OutputStream out, Runnable whenBroken) {
        this.out = out;
        this.whenBroken = whenBroken;
    }

    void write(Object value) {
        byte[] line = (Lines.encode(value) + '\n').getBytes(StandardCharsets.UTF_8);
        turn.lock();
        try {
            out.write(line);
            out.flush();
        } catch (IOException broken) {
            whenBroken.run();
        } finally {
            turn.unlock();
        }
    }
}
