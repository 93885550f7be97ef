package io.raftlock.chaos.report;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayDeque;
import java.util.Deque;

/** Writes a page that is HTML and XML at once. All text that it is given is escaped. */
final class Xhtml {
    private static final int FIRST_PRINTABLE = 0x20;
    private static final String REPLACEMENT = "\uFFFD";

    private final Writer out;
    private final Deque<String> open = new ArrayDeque<>();

    Xhtml(Writer out) {
        this.out = out;
    }

    /**
     * Opens an element.
     *
     * @param attributes names and values by turns
     */
    Xhtml open(String tag, String... attributes) throws IOException {
        start(tag, attributes);
        out.write('>');
        open.push(tag);
        return this;
    }

    /** Closes the element that was opened last. */
    Xhtml close() throws IOException {
        out.write("</" + open.pop() + ">\n");
        return this;
    }

    /** Writes an element that has nothing in it but text. */
    Xhtml leaf(String tag, String text, String... attributes) throws IOException {
        return open(tag, attributes).text(text).close();
    }

    /** Writes an element that has no end tag in HTML. */
    Xhtml empty(String tag, String... attributes) throws IOException {
        start(tag, attributes);
        out.write(" />\n");
        return this;
    }

    Xhtml text(String text) throws IOException {
        out.write(escaped(text));
        return this;
    }

    /** Writes what is known to be good: no text of the run. */
    Xhtml raw(String markup) throws IOException {
        out.write(markup);
        return this;
    }

    private void start(String tag, String... attributes) throws IOException {
        out.write("<" + tag);
        for (int at = 0; at < attributes.length; at += 2) {
            out.write(" " + attributes[at] + "=\"" + escaped(attributes[at + 1]) + "\"");
        }
    }

    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> append(escaped, point));
        return escaped.toString();
    }

    private static void append(StringBuilder escaped, int point) {
        switch (point) {
            case '<' -> escaped.append("&lt;");
            case '>' -> escaped.append("&gt;");
            case '&' -> escaped.append("&amp;");
            case '"' -> escaped.append("&quot;");
            case '\'' -> escaped.append("&#39;");
            case '\n' -> escaped.append("&#10;");
            default -> escaped.append(isOfXml(point) ? Character.toString(point) : REPLACEMENT);
        }
    }

    /** XML has no place for control characters and halves of pairs, not even as references. */
    private static boolean isOfXml(int point) {
        boolean isSurrogate = Character.MIN_SURROGATE <= point && point <= Character.MAX_SURROGATE;
        return (point >= FIRST_PRINTABLE || point == '\t')
                && !isSurrogate
                && point != 0xFFFE
                && point != 0xFFFF;
    }
}
