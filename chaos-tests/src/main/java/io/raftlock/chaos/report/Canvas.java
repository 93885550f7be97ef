package io.raftlock.chaos.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.RenderingHints;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

import javax.imageio.ImageIO;

/** A picture to draw on, which needs no screen. */
final class Canvas {
    static final Color INK = new Color(0x303030);
    static final Color GRID = new Color(0xE4E4E4);

    private final BufferedImage image;
    private final Graphics2D pen;

    /** Where a text is, seen from its point. */
    enum Anchor {
        LEFT,
        MIDDLE,
        RIGHT
    }

    Canvas(int width, int height) {
        System.setProperty("java.awt.headless", "true");
        image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        pen = image.createGraphics();
        pen.setRenderingHint(
                RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        fill(Color.WHITE, 0, 0, width, height);
        font(13, false);
    }

    /** Returns why this host cannot draw text, such as that it has no fonts; nothing if it can. */
    static Optional<String> obstacle() {
        System.setProperty("java.awt.headless", "true");
        try {
            GraphicsEnvironment.getLocalGraphicsEnvironment().getAvailableFontFamilyNames();
            new Canvas(1, 1).textWidth("x");
            return Optional.empty();
        } catch (RuntimeException | LinkageError | InternalError noFonts) {
            return Optional.of("this host cannot draw text: " + noFonts);
        }
    }

    int width() {
        return image.getWidth();
    }

    int height() {
        return image.getHeight();
    }

    void font(int size, boolean isBold) {
        pen.setFont(new Font(Font.SANS_SERIF, isBold ? Font.BOLD : Font.PLAIN, size));
    }

    void fill(Color color, double x, double y, double width, double height) {
        pen.setColor(color);
        pen.fill(new Rectangle2D.Double(x, y, width, height));
    }

    void shape(Color color, Path2D shape) {
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        pen.setColor(color);
        pen.fill(shape);
        pen.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_OFF);
    }

    void line(Color color, double x, double y, double toX, double toY) {
        pen.setColor(color);
        pen.draw(new Line2D.Double(x, y, toX, toY));
    }

    void dashed(Color color, double x, double y, double toY) {
        pen.setStroke(
                new BasicStroke(
                        1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_BEVEL, 1, new float[] {4, 4}, 0));
        line(color, x, y, x, toY);
        pen.setStroke(new BasicStroke(1));
    }

    /** Writes a text on its base line. */
    void text(Color color, double x, double y, Anchor anchor, String text) {
        double shift =
                switch (anchor) {
                    case LEFT -> 0;
                    case MIDDLE -> textWidth(text) / 2.0;
                    case RIGHT -> textWidth(text);
                };
        pen.setColor(color);
        pen.drawString(text, (float) (x - shift), (float) y);
    }

    int textWidth(String text) {
        return pen.getFontMetrics().stringWidth(text);
    }

    /** Writes the picture as PNG. */
    void write(OutputStream out) throws IOException {
        ImageIO.setUseCache(false);
        if (!ImageIO.write(image, "png", out)) {
            throw new IOException("this Java cannot write PNG");
        }
    }
}
