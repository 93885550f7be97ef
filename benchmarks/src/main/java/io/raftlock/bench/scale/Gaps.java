package io.raftlock.bench.scale;

import io.raftlock.bench.load.Median;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The times between two answers that one caller got. */
final class Gaps {
    private final List<Span> all = new ArrayList<>();

    /**
     * @param answers when they came, in ascending order, at least two
     */
    Gaps(List<Long> answers) {
        for (int i = 1; i < answers.size(); i++) {
            all.add(new Span(answers.get(i - 1), answers.get(i)));
        }
    }

    double medianNanos() {
        return Median.of(all.stream().mapToDouble(Span::nanos).sorted().toArray());
    }

    /** Returns the longest that has a moment in common with one of these times; 0 if none has. */
    long longestNanos(List<Span> times) {
        return longest(gap -> times.stream().anyMatch(gap::overlaps));
    }

    /** Returns the longest of the others; 0 if there are none. */
    long longestNanosOutside(List<Span> times) {
        return longest(gap -> times.stream().noneMatch(gap::overlaps));
    }

    private long longest(Predicate<Span> wanted) {
        return all.stream().filter(wanted).mapToLong(Span::nanos).max().orElse(0);
    }
}
