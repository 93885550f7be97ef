package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Does what can be done to processes, once, to one that sleeps. */
final class ProcessTrials implements AutoCloseable {
    private final Process sleeper;
    private final ProcessControl control;

    private ProcessTrials(Process sleeper, ProcessControl control) {
        this.sleeper = sleeper;
        this.control = control;
    }

    static ProcessTrials start(Cleanup cleanup) {
        try {
            Process sleeper = new ProcessBuilder("sleep", "60").start();
            return new ProcessTrials(
                    sleeper, new ProcessControl(cleanup, new Capabilities(Map.of())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return sleeper.pid();
    }

    void freeze() {
        control.freeze(pid());
        control.thaw(pid());
    }

    void limit() {
        control.cpuPercent(pid(), 50);
        control.unlimited(pid());
    }

    @Override
    public void close() {
        sleeper.destroyForcibly();
        control.close();
    }
}
