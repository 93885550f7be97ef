package io.raftlock.chaos.report;

/**
 * One thing on the page.
 *
 * @param column that it is in
 * @param span up to its own beginning if it has no length
 * @param style its classes
 * @param anchor by which links find it, or empty
 * @param lock that it is about, or empty
 * @param details for the tooltip
 */
record TimelineItem(
        String column,
        Span span,
        String style,
        String anchor,
        String lock,
        String label,
        String details) {
    /** The class of what a finding is about, the last of its classes. */
    static final String FOUND = " found";

    static TimelineItem of(String column, Span span, String style, String label, String details) {
        return new TimelineItem(column, span, style, "", "", label, details);
    }

    boolean isFound() {
        return style.endsWith(FOUND);
    }

    boolean isMoment() {
        return span.nanos() == 0;
    }

    TimelineItem within(Span page) {
        long from = Math.min(page.toNanos(), Math.max(page.fromNanos(), span.fromNanos()));
        long to = Math.min(page.toNanos(), Math.max(page.fromNanos(), span.toNanos()));
        return new TimelineItem(column, new Span(from, to), style, anchor, lock, label, details);
    }
}
