package io.raftlock.chaos.report;

import static io.raftlock.chaos.report.ExampleRun.at;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;

import org.junit.jupiter.api.Test;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

class PictureTest {
    private static final int FIRST_ROW = Picture.faultsTop() + 2;
    private static final int SECOND_ROW = FIRST_ROW + FaultBands.ROW_HEIGHT;

    private final Run run = Run.of(ExampleRun.events());
    private final TimeAxis time = new TimeAxis(run.span(), Picture.LEFT, Picture.RIGHT);

    @Test
    void aBandCoversItsFaultAndNothingElse() throws IOException {
        BufferedImage image = image(run, List.of(), List.of(new LatencyPanel(run)));
        int from = (int) Math.round(time.x(at(12)));
        int to = (int) Math.round(time.x(at(16)));
        int kill = FaultGroup.KILL.rgb();
        assertThat(rgb(image, from - 2, FIRST_ROW)).isEqualTo(0xFFFFFF);
        assertThat(rgb(image, from + 1, FIRST_ROW)).isEqualTo(kill);
        assertThat(rgb(image, to - 2, FIRST_ROW)).isEqualTo(kill);
        assertThat(rgb(image, to + 2, FIRST_ROW)).isEqualTo(0xFFFFFF);
    }

    @Test
    void faultsAtTheSameTimeAreInDifferentRows() throws IOException {
        BufferedImage image = image(run, List.of(), List.of(new LatencyPanel(run)));
        int both = (int) time.x(at(26));
        assertThat(rgb(image, both, FIRST_ROW)).isEqualTo(FaultGroup.PACKET.rgb());
        assertThat(rgb(image, both, SECOND_ROW)).isEqualTo(FaultGroup.PAUSE.rgb());
    }

    @Test
    void theBandsGoThroughTheData() throws IOException {
        BufferedImage image = image(run, List.of(), List.of(new RatePanel(run, Result.INFO, 100)));
        int y = Picture.faultsTop() + 2 * FaultBands.ROW_HEIGHT + 20;
        Color within = new Color(rgb(image, (int) time.x(at(14.2)), y));
        assertThat(within.getRed()).isGreaterThan(within.getGreen() + 15);
        assertThat(rgb(image, (int) time.x(at(18.2)), y)).isEqualTo(0xFFFFFF);
    }

    @Test
    void aFindingIsARedLine() throws IOException {
        BufferedImage image = image(run, List.of(at(18.3)), List.of(new LatencyPanel(run)));
        int x = (int) time.x(at(18.3));
        assertThat(rgb(image, x, FIRST_ROW)).isEqualTo(Colors.FINDING.getRGB() & 0xFFFFFF);
    }

    @Test
    void thereIsAPointWhereACallWasAskedAtTheHeightOfItsLatency() {
        List<Event> events = new ArrayList<>();
        call(events, 1, 0, 1_000_000, Result.OK);
        call(events, 2, 500_000_000, 10_000_000, Result.FAIL);
        call(events, 3, 1_000_000_000, 100_000_000, Result.INFO);
        Run small = Run.of(events);
        LatencyPanel panel = new LatencyPanel(small);
        Canvas canvas = new Canvas(300, panel.height());
        TimeAxis axis = new TimeAxis(small.span(), 50, 250);
        panel.draw(canvas, axis, new Box(50, 0, 250, panel.height()));
        BufferedImage image = read(canvas);
        int x = (int) axis.x(500_000_000);
        assertThat(rgb(image, x, panel.height() / 2)).isEqualTo(rgb(Result.FAIL));
        assertThat(rgb(image, 50, panel.height() - 1)).isEqualTo(rgb(Result.OK));
        assertThat(rgb(image, (int) axis.x(1_000_000_000), 0)).isEqualTo(rgb(Result.INFO));
        assertThat(rgb(image, x + 20, panel.height() / 2 + 3)).isEqualTo(0xFFFFFF);
    }

    @Test
    void ratesAreThoseOfTheEvents() {
        List<Event> events = new ArrayList<>();
        for (int call = 0; call < 50; call++) {
            call(events, call, 100_000_000, 1_000_000, Result.OK);
        }
        events.add(new Event.Noted(2_000_000_000, "setup", "", ""));
        RatePanel panel = new RatePanel(Run.of(events), Result.OK, 100);
        assertThat(panel.at(100_000_000)).isEqualTo(200);
        assertThat(panel.at(1_900_000_000)).isZero();
    }

    @Test
    void thinningLeavesOutOnlyWhatLiesOnAnother() {
        Thinning thinning = new Thinning(2);
        Random random = new Random(5);
        for (int point = 0; point < 10_000; point++) {
            thinning.admits(random.nextInt(20), random.nextInt(20));
        }
        assertThat(thinning.points()).isEqualTo(100);
        assertThat(thinning.admits(500, 3)).isTrue();
        assertThat(thinning.admits(500, 3)).isFalse();
    }

    @Test
    void aFaultIsDrawnThoughItsLabelHasNoRoom() {
        List<Event> events = new ArrayList<>();
        for (int step = 0; step < 200; step++) {
            events.add(new Event.FaultBegan(step * 1_000L, step, "KILL", "n1", "n1", 1));
            events.add(new Event.FaultEnded(step * 1_000L + 500, step, "KILL", "gone"));
        }
        Run crowded = Run.of(events);
        TimeAxis axis = new TimeAxis(crowded.span(), Picture.LEFT, Picture.RIGHT);
        FaultBands bands = FaultBands.of(crowded.faults(), axis, new Canvas(1, 1));
        assertThat(bands.bands()).hasSize(200);
        assertThat(bands.rows()).isLessThanOrEqualTo(10);
        assertThat(bands.bands()).anyMatch(band -> band.label().isEmpty());
    }

    @Test
    void aRunWithoutAnythingCanBeDrawn() throws IOException {
        Run empty = Run.of(List.of());
        BufferedImage image =
                image(
                        empty,
                        List.of(),
                        List.of(new LatencyPanel(empty), new RatePanel(empty, Result.OK, 50)));
        assertThat(image.getWidth()).isEqualTo(Picture.WIDTH);
    }

    private static BufferedImage image(Run run, List<Long> findings, List<Panel> panels)
            throws IOException {
        return read(Picture.draw("title", run, findings, panels));
    }

    private static BufferedImage read(Canvas canvas) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            canvas.write(bytes);
            return ImageIO.read(new ByteArrayInputStream(bytes.toByteArray()));
        } catch (IOException impossible) {
            throw new java.io.UncheckedIOException(impossible);
        }
    }

    private static void call(
            List<Event> events, long call, long asked, long lasted, Result result) {
        events.add(new Event.Invoked(asked, call, "c", 0, Action.LOCK, "a", 0));
        events.add(new Event.Returned(asked + lasted, call, result, call, ""));
    }

    private static int rgb(BufferedImage image, int x, int y) {
        return image.getRGB(x, y) & 0xFFFFFF;
    }

    private static int rgb(Result result) {
        return Colors.of(result).getRGB() & 0xFFFFFF;
    }
}
