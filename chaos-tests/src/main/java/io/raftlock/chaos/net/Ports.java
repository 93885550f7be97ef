package io.raftlock.chaos.net;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** The ports of the switch, in the order in which the hosts were named. */
record Ports(Map<String, Port> byHost) {
    Ports {
        byHost = Collections.unmodifiableMap(new LinkedHashMap<>(byHost));
    }

    Collection<Port> all() {
        return byHost.values();
    }

    /**
     * Returns the port of a host.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    Port of(String host) {
        Port port = byHost.get(host);
        if (port == null) {
            throw new IllegalArgumentException("no host " + host + " but " + byHost.keySet());
        }
        return port;
    }
}
