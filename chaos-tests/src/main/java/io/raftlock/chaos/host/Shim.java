package io.raftlock.chaos.host;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A library that stands between one process and its machine. Works without any right. */
public sealed interface Shim permits ClockShim, FsShim {
    /** Returns the library that the process has to load before all others. */
    Path library();

    /** Returns the variables of the environment by which the library knows what to do. */
    Map<String, String> variables();

    /** Returns all that the environment of a process needs that is to have these shims. */
    static Map<String, String> environment(List<Shim> shims) {
        Map<String, String> environment = new HashMap<>();
        shims.forEach(shim -> environment.putAll(shim.variables()));
        if (!shims.isEmpty()) {
            environment.put(
                    "LD_PRELOAD",
                    shims.stream()
                            .map(shim -> shim.library().toString())
                            .collect(Collectors.joining(":")));
        }
        return environment;
    }
}
