package io.raftlock.chaos.host;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a trial failed, in a sentence for people who want to do something about it. */
final class Reason {
    private static final Pattern NO_PROGRAM =
            Pattern.compile(
                    "(?:Cannot run program \"|failed to execute )([^\":]+)"
                            + ".*(?:error=2|No such file)");
    private static final Pattern NO_RIGHT =
            Pattern.compile("not permitted|permission denied|superuser|must be root");
    private static final Map<String, String> PACKAGES =
            Map.of(
                    "nft", "nftables",
                    "ip", "iproute2",
                    "tc", "iproute2",
                    "ss", "iproute2",
                    "gcc", "gcc libc6-dev",
                    "mkfs.ext4", "e2fsprogs",
                    "mount", "mount",
                    "umount", "mount");
    private static final String OTHER_PACKAGE = "util-linux";

    private Reason() {}

    static String of(Exception failure) {
        String text = text(failure);
        Matcher noProgram = NO_PROGRAM.matcher(text);
        if (noProgram.find()) {
            String program = noProgram.group(1);
            return "%s is not installed (apt-get install %s)"
                    .formatted(program, PACKAGES.getOrDefault(program, OTHER_PACKAGE));
        }
        if (has(failure, AccessDeniedException.class)
                || NO_RIGHT.matcher(text.toLowerCase(Locale.ROOT)).find()) {
            return "needs root";
        }
        if (has(failure, NoSuchFileException.class)) {
            return "this machine has no " + text.lines().findFirst().orElse(text);
        }
        return text.lines().findFirst().orElse(text);
    }

    /** Returns the messages of the failure and all its causes. */
    private static String text(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Optional<Throwable> at = Optional.of(failure);
        while (at.isPresent()) {
            Throwable now = at.get();
            text.append(text.isEmpty() ? "" : ": ")
                    .append(Optional.ofNullable(now.getMessage()).orElse(now.toString()));
            at = Optional.ofNullable(now.getCause());
        }
        return text.toString();
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        return kind.isInstance(failure)
                || Optional.ofNullable(failure.getCause()).filter(c -> has(c, kind)).isPresent();
    }
}
