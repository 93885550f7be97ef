package io.raftlock.chaos.fault;

import io.raftlock.chaos.net.Host;
import io.raftlock.chaos.net.Link;
import io.raftlock.chaos.net.Network;
import io.raftlock.chaos.net.Shape;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Remembers what was done to it. */
final class FakeNetwork implements Network {
    Set<Link> cut = Set.of();
    Map<Link, Shape> shapes = Map.of();
    long hits;
    int resets;

    @Override
    public Set<Ability> abilities() {
        return EnumSet.allOf(Ability.class);
    }

    @Override
    public Host host(String name) {
        return new Host(name, "127.0.0.1", Path.of("hosts"), List.of());
    }

    @Override
    public void cut(Set<Link> links) {
        cut = links;
    }

    @Override
    public void shape(Map<Link, Shape> links) {
        shapes = links;
    }

    @Override
    public int reset(Set<String> side, Set<String> other) {
        resets++;
        return 3;
    }

    @Override
    public long hits() {
        return hits;
    }

    @Override
    public void close() {}
}
