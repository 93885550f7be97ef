package io.raftlock.chaos.client;

import java.util.Arrays;
import java.util.Optional;

/** What the driver tells a client, in a line of one word. */
enum Order {
    /** Finish what is under way, close, and exit with 0. */
    STOP("stop"),
    /** Begin nothing new, and let go what is held. */
    QUIET("quiet"),
    /** Go on. */
    GO("go");

    private final String word;

    Order(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Optional<Order> of(String line) {
        return Arrays.stream(values()).filter(order -> order.word.equals(line)).findFirst();
    }
}
