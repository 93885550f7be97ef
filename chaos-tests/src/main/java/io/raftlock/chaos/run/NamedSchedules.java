package io.raftlock.chaos.run;

import io.raftlock.chaos.schedule.Schedule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Schedules that are kept: those of every build, and one for each bug that a run has found. They
 * are resources of this module, in the folder {@code schedules}.
 */
public final class NamedSchedules {
    private NamedSchedules() {}

    /**
     * Returns the schedule of that name, or in that file.
     *
     * @throws IOException if there is none, or it is no schedule; the message says what to do
     */
    public static Schedule find(String nameOrFile) throws IOException {
        String resource = "/schedules/" + nameOrFile + ".json";
        try (InputStream in = NamedSchedules.class.getResourceAsStream(resource)) {
            if (in != null) {
                return Schedule.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Path file = Path.of(nameOrFile);
        if (!Files.isReadable(file)) {
            throw new IOException(
                    "no schedule is called %s, and there is no such file: give a file that a run left, or a name such as smoke-a"
                            .formatted(nameOrFile));
        }
        return Schedule.read(file);
    }
}
