package io.raftlock.chaos.host;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** What can be done on this machine, and why not the rest. */
public final class Capabilities {
    private final Map<Capability, String> missing;

    /**
     * @param missing what cannot be done, with the reason in a sentence
     */
    Capabilities(Map<Capability, String> missing) {
        this.missing = new EnumMap<>(Capability.class);
        this.missing.putAll(missing);
    }

    public boolean has(Capability capability) {
        return !missing.containsKey(capability);
    }

    /** Returns the reason in a sentence; empty if it can be done. */
    public String whyNot(Capability capability) {
        return missing.getOrDefault(capability, "");
    }

    /** Returns all that cannot be done, in order, with the reasons. */
    public Map<Capability, String> missing() {
        return Collections.unmodifiableMap(new TreeMap<>(missing));
    }

    /**
     * Goes on if it can be done.
     *
     * @throws IllegalStateException if not; the message has the reason
     */
    public void require(Capability capability) {
        if (!has(capability)) {
            throw new IllegalStateException(capability + ": " + whyNot(capability));
        }
    }
}
