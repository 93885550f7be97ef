package io.raftlock.client;

import java.util.Optional;

/** Where a node listens for clients. */
record Address(String host, int port) {
    private static final int MAX_PORT = 65_535;

    /** Reads {@code host:port} or {@code [IPv6]:port}; empty if the text is neither. */
    static Optional<Address> parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || colon + 1 == text.length()) {
            return Optional.empty();
        }
        String host = unbracketed(text.substring(0, colon));
        int port = portOf(text.substring(colon + 1));
        return host.isBlank() || port == 0
                ? Optional.empty()
                : Optional.of(new Address(host, port));
    }

    private static String unbracketed(String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            return host.substring(1, host.length() - 1);
        }
        return host.indexOf(':') < 0 ? host : "";
    }

    /** Returns 0 for what is no port. */
    private static int portOf(String text) {
        if (text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return 0;
        }
        int port = Integer.parseInt(text);
        return port <= MAX_PORT ? port : 0;
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
