package io.raftlock.chaos.net;

/**
 * Where a host is plugged into the switch.
 *
 * @param number from 1, which no other host of the run has
 * @param namespace in which the host's processes run
 */
record Port(int number, String namespace) {
    /** Returns the host's address. */
    String address() {
        return "10.77.0." + number;
    }

    /** Returns the name of the interface at the switch. */
    String device() {
        return "v" + number;
    }

    /** Returns the class of packets from this host, in the queue of another host's port. */
    String queue() {
        return "1:" + Integer.toHexString(number);
    }
}
