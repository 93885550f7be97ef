package io.raftlock.client;

import io.raftlock.protocol.ProtocolLimits;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * How a lock is to be acquired. Immutable; each method returns a copy with one thing changed:
 * {@code AcquireOptions.defaults().maxHold(Duration.ofSeconds(30)).metadata("nightly job")}.
 */
public final class AcquireOptions {
    private static final AcquireOptions DEFAULTS = new AcquireOptions(0, "", null);
    private static final Duration LONGEST_HOLD = Duration.ofMillis(ProtocolLimits.MAX_HOLD_MILLIS);

    private final long maxHoldMillis;
    private final String metadata;
    private final @Nullable Consumer<? super QueuePosition> onProgress;

    private AcquireOptions(
            long maxHoldMillis,
            String metadata,
            @Nullable Consumer<? super QueuePosition> onProgress) {
        this.maxHoldMillis = maxHoldMillis;
        this.metadata = metadata;
        this.onProgress = onProgress;
    }

    /** Returns options with which a hold lasts as long as its session, without metadata. */
    public static AcquireOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Ends the hold that long after the grant, whatever happens; its grant is then lost with {@link
     * LossReason#MAX_HOLD_REACHED}.
     *
     * @param longest rounded up to whole milliseconds; at most ten years
     * @throws IllegalArgumentException if the time is zero, negative, or more than ten years
     */
    public AcquireOptions maxHold(Duration longest) {
        if (longest.isZero() || longest.isNegative() || longest.compareTo(LONGEST_HOLD) > 0) {
            throw new IllegalArgumentException(
                    "maxHold is more than zero and at most %s, but was %s; leave it out for a hold that lasts as long as the session"
                            .formatted(LONGEST_HOLD, longest));
        }
        return new AcquireOptions(longest.plusNanos(999_999).toMillis(), metadata, onProgress);
    }

    /**
     * Attaches a text that people see beside the hold or the place in the queue.
     *
     * @param text at most 1024 bytes of UTF-8
     * @throws IllegalArgumentException if the text is longer
     */
    public AcquireOptions metadata(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > ProtocolLimits.MAX_METADATA_BYTES) {
            throw new IllegalArgumentException(
                    "metadata has at most %d bytes of UTF-8, but this text has %d; shorten it"
                            .formatted(ProtocolLimits.MAX_METADATA_BYTES, bytes));
        }
        return new AcquireOptions(maxHoldMillis, text, onProgress);
    }

    /**
     * Has the place in the queue told when the acquire has to wait. The consumer runs on the
     * client's callback executor; what it throws is logged and changes nothing.
     *
     * @param listener is told the place in the queue
     */
    public AcquireOptions onProgress(Consumer<? super QueuePosition> listener) {
        return new AcquireOptions(maxHoldMillis, metadata, listener);
    }

    /** Returns the longest hold in milliseconds, 0 for none. */
    long maxHoldMillis() {
        return maxHoldMillis;
    }

    String metadata() {
        return metadata;
    }

    void tellProgress(QueuePosition position, Callbacks callbacks) {
        Consumer<? super QueuePosition> listener = onProgress;
        if (listener != null) {
            callbacks.run(() -> listener.accept(position));
        }
    }
}
