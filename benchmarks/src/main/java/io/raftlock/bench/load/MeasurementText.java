package io.raftlock.bench.load;

import org.HdrHistogram.Histogram;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.DataFormatException;

/** A measurement as one line of text, for another process. */
public final class MeasurementText {
    private static final int PARTS = 5;

    private MeasurementText() {}

    /** Writes it. */
    public static String of(Meter.Measurement measured) {
        return String.join(
                " ",
                Long.toString(measured.nanos()),
                text(measured.acquire()),
                text(measured.cycle()),
                text(measured.handOff()),
                text(measured.renewal()));
    }

    /**
     * Reads what {@link #of} wrote.
     *
     * @throws LoadFailure if the text is something else
     */
    public static Meter.Measurement parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != PARTS) {
            throw new LoadFailure("no measurement: " + text);
        }
        try {
            return new Meter.Measurement(
                    Long.parseLong(parts[0]),
                    histogram(parts[1]),
                    histogram(parts[2]),
                    histogram(parts[3]),
                    histogram(parts[4]));
        } catch (DataFormatException | IllegalArgumentException e) {
            throw new LoadFailure("no measurement", e);
        }
    }

    private static String text(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        bytes.flip().limit(length);
        return new String(Base64.getEncoder().encode(bytes).array(), StandardCharsets.US_ASCII);
    }

    private static Histogram histogram(String text) throws DataFormatException {
        return Histogram.decodeFromCompressedByteBuffer(
                ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    }
}
