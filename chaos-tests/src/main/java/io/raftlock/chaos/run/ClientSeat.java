package io.raftlock.chaos.run;

import io.raftlock.chaos.client.ClientProcess;
import io.raftlock.chaos.fault.Victim;

import java.time.Duration;

/** A client as faults see it. Owned by the driver's thread. */
final class ClientSeat implements Victim {
    private final ClientProcess client;

    ClientSeat(ClientProcess client) {
        this.client = client;
    }

    ClientProcess client() {
        return client;
    }

    @Override
    public String name() {
        return client.name();
    }

    @Override
    public boolean isRunning() {
        return client.isRunning();
    }

    @Override
    public long pid() {
        return client.pid();
    }

    @Override
    public void kill() {
        client.kill();
    }

    @Override
    public void stop() {
        client.askToStop();
    }

    @Override
    public int awaitExit(Duration bound) {
        return client.awaitEnd(bound);
    }

    @Override
    public void start() {
        client.start();
    }

    /** A client has no supervisor, and nothing is done to it that would make it end itself. */
    @Override
    public void mayEnd(boolean expected) {}
}
