package io.raftlock.chaos.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What one process sees of a folder's disk: syncs that are slow or fail, and writes that find no
 * space. Owned by one thread.
 */
public final class FsShim implements Shim {
    private static final int SYNC_DELAY_MICROS = 0;
    private static final int SYNC_FAIL_PERCENT = 1;
    private static final int NO_SPACE_PERCENT = 2;
    private static final int SYNCS_SEEN = 4;
    private static final int SYNCS_DELAYED = 5;
    private static final int SYNCS_FAILED = 6;
    private static final int WRITES_FAILED = 7;

    private final Path library;
    private final Path file;
    private final Path folder;
    private final SharedNumbers numbers;

    /**
     * Makes a disk without faults.
     *
     * @param file by which they are set; made anew
     * @param folder whose files are meant, with all below it; it is there already
     */
    public FsShim(NativeTools tools, Path file, Path folder) {
        library = tools.fsShim();
        this.file = file.toAbsolutePath();
        try {
            this.folder = folder.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        numbers = SharedNumbers.create(file);
    }

    /**
     * What has happened since the shim was made.
     *
     * @param syncsSeen calls of any kind of sync
     * @param syncsDelayed of those
     * @param syncsFailed of those, with an I/O error
     * @param writesFailed for want of space
     */
    public record Counts(long syncsSeen, long syncsDelayed, long syncsFailed, long writesFailed) {
        /** Returns how many calls were not as they would have been without the shim. */
        public long faults() {
            return syncsDelayed + syncsFailed + writesFailed;
        }
    }

    @Override
    public Path library() {
        return library;
    }

    @Override
    public Map<String, String> variables() {
        return Map.of("FSSHIM_FILE", file.toString(), "FSSHIM_PREFIX", folder.toString());
    }

    /** From now on each sync takes so much longer; zero for no longer. */
    public void syncDelay(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("negative: " + delay);
        }
        numbers.set(SYNC_DELAY_MICROS, delay.toNanos() / 1_000);
    }

    /** From now on so many of a hundred syncs fail with EIO, and sync nothing. */
    public void failSyncs(int percent) {
        numbers.set(SYNC_FAIL_PERCENT, percent(percent));
    }

    /** From now on so many of a hundred writes fail with ENOSPC, and write nothing. */
    public void noSpace(int percent) {
        numbers.set(NO_SPACE_PERCENT, percent(percent));
    }

    /** Ends all faults; what was counted stays. */
    public void heal() {
        syncDelay(Duration.ZERO);
        failSyncs(0);
        noSpace(0);
    }

    /** Returns what has happened so far. */
    public Counts counts() {
        return new Counts(
                numbers.get(SYNCS_SEEN),
                numbers.get(SYNCS_DELAYED),
                numbers.get(SYNCS_FAILED),
                numbers.get(WRITES_FAILED));
    }

    private static int percent(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("not a percentage: " + percent);
        }
        return percent;
    }
}
