package io.raftlock.client;

/** A client's view of a loop that others go on using when the client is closed. */
record Unending(Loop loop) implements Loop {
    @Override
    public long nanoTime() {
        return loop.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public Timer schedule(Runnable task, long delayNanos) {
        return loop.schedule(task, delayNanos);
    }

    @Override
    public boolean inLoop() {
        return loop.inLoop();
    }

    @Override
    public void shutDown() {}
}
