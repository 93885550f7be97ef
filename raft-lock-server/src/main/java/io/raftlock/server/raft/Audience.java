package io.raftlock.server.raft;

import com.alipay.sofa.jraft.Iterator;

import java.util.List;
import java.util.function.Consumer;

/**
 * Those who are told what the log does. A node whose clients, timers or observers have missed
 * something would wait for it for ever, or have a gap: it ends. On the apply thread.
 */
final class Audience {
    private final LogListener listener;
    private final List<EntryObserver> observers;
    private final Failures failures;

    Audience(LogListener listener, List<EntryObserver> observers, Failures failures) {
        this.listener = listener;
        this.observers = List.copyOf(observers);
        this.failures = failures;
    }

    void tell(Consumer<LogListener> event) {
        try {
            event.accept(listener);
        } catch (RuntimeException broken) {
            failures.report("an event of the log was not dealt with", broken);
            throw broken;
        }
    }

    /** Shows the present entry to the observers, each its own view of the bytes. */
    void show(Iterator entries) {
        try {
            for (EntryObserver observer : observers) {
                observer.applied(
                        entries.getIndex(),
                        entries.getTerm(),
                        entries.getData().asReadOnlyBuffer());
            }
        } catch (RuntimeException broken) {
            failures.report(
                    "entry %d could not be observed: %s"
                            .formatted(entries.getIndex(), broken.getMessage()),
                    broken);
            throw broken;
        }
    }
}
