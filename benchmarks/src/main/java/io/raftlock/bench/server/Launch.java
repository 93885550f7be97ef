package io.raftlock.bench.server;

import java.util.List;

/**
 * How one server is started.
 *
 * @param number of the server, from 1
 * @param template name of its configuration among the resources
 * @param command in which {@code @config@} and {@code @folder@} stand for its files
 * @param port for clients
 */
record Launch(int number, String template, List<String> command, int port) {
    Launch {
        command = List.copyOf(command);
    }
}
