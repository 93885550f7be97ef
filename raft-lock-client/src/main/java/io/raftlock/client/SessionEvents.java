package io.raftlock.client;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Tells the listeners what happens to the session: each in order, none waiting for another. */
final class SessionEvents {
    private static final Logger LOG = LoggerFactory.getLogger(SessionEvents.class);

    /** Events that wait for a listener that blocks; a loss is never dropped. */
    private static final int MAX_WAITING = 1_000;

    private final Callbacks callbacks;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

    SessionEvents(Callbacks callbacks) {
        this.callbacks = callbacks;
    }

    /** Any thread. */
    void add(SessionListener listener) {
        subscriptions.add(new Subscription(listener));
    }

    /** Any thread. */
    void remove(SessionListener listener) {
        subscriptions.removeIf(each -> each.listener == listener);
    }

    void suspect(Duration left) {
        subscriptions.forEach(each -> each.tell(listener -> listener.onSuspect(left), false));
    }

    void recovered() {
        subscriptions.forEach(each -> each.tell(SessionListener::onRecovered, false));
    }

    void lost(LossReason reason) {
        subscriptions.forEach(each -> each.tell(listener -> listener.onLost(reason), true));
    }

    private final class Subscription {
        private final SessionListener listener;
        private final Queue<Consumer<SessionListener>> events = new ConcurrentLinkedQueue<>();
        private final AtomicInteger waiting = new AtomicInteger();

        Subscription(SessionListener listener) {
            this.listener = listener;
        }

        void tell(Consumer<SessionListener> event, boolean always) {
            if (!always && waiting.get() >= MAX_WAITING) {
                LOG.warn("a session listener blocks; an event is not told to it");
                return;
            }
            events.add(event);
            if (waiting.getAndIncrement() == 0) {
                callbacks.run(this::tellAll);
            }
        }

        private void tellAll() {
            do {
                tellNext();
            } while (waiting.decrementAndGet() > 0);
        }

        private void tellNext() {
            Consumer<SessionListener> event = events.remove();
            try {
                event.accept(listener);
            } catch (RuntimeException | Error thrown) {
                LOG.warn("a session listener threw", thrown);
            }
        }
    }
}
