package io.raftlock.server;

import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP address. It is not resolved before it is used, so that a name may change its meaning.
 *
 * @param host a name or an IP address in lower case; an IPv6 address stands in brackets
 */
public record HostPort(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_HOST_LENGTH = 253;
    private static final String HOST = "(\\[[0-9A-Fa-f:.]+(?:%[\\w.-]+)?]|[\\w.-]+)";
    private static final Pattern FORM = Pattern.compile(HOST + ":([0-9]+)");
    private static final Pattern HOST_FORM = Pattern.compile(HOST);
    private static final Set<String> WILDCARDS = Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]");

    /**
     * @throws IllegalArgumentException if the host has no valid form or the port is out of range
     */
    public HostPort {
        host = host.toLowerCase(Locale.ROOT);
        if (!HOST_FORM.matcher(host).matches() || host.length() > MAX_HOST_LENGTH) {
            throw new IllegalArgumentException(
                    "found host \"%s\", expected a host name or an IP address".formatted(host));
        }
        if (port < 1 || port > MAX_PORT) {
            throw new IllegalArgumentException(
                    "found port %d, expected a port from 1 to %d".formatted(port, MAX_PORT));
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static HostPort parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "found \"%s\", expected host:port such as 127.0.0.1:7101".formatted(text));
        }
        String port = parts.group(2);
        if (port.length() > 5) {
            throw new IllegalArgumentException(
                    "found port %s, expected a port from 1 to %d".formatted(port, MAX_PORT));
        }
        return new HostPort(parts.group(1), Integer.parseInt(port));
    }

    /** Whether it stands for all interfaces: good to listen on, not to connect to. */
    public boolean isWildcard() {
        return WILDCARDS.contains(host);
    }

    /** Resolves the host now; the answer says if that failed. */
    public InetSocketAddress resolve() {
        return new InetSocketAddress(bareHost(), port);
    }

    /** Leaves resolving to whoever connects. */
    public InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(bareHost(), port);
    }

    private String bareHost() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
