package io.raftlock.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.raftlock.server.lock.Applied;
import io.raftlock.server.lock.LockStateMachine;
import io.raftlock.server.lock.Notice;
import io.raftlock.server.lock.Outcome;
import io.raftlock.server.raft.ReplicatedLog;

import org.jspecify.annotations.Nullable;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** The meters of one node. Counting is for the apply thread, reading for any thread. */
public final class ServerMetrics implements AutoCloseable {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Outcome.Kind, Counter> outcomes = new EnumMap<>(Outcome.Kind.class);
    private final Map<Notice.Kind, Counter> notices = new EnumMap<>(Notice.Kind.class);

    private final LongSupplier acceptedConnections;

    /**
     * Makes the meters.
     *
     * @param diskFreeBytes space that the log can still take, or -1 if that is not known
     * @param openConnections how many clients are connected
     * @param acceptedConnections how many connections have come since the start
     */
    public ServerMetrics(
            ReplicatedLog log,
            LongSupplier diskFreeBytes,
            IntSupplier openConnections,
            LongSupplier acceptedConnections) {
        this.acceptedConnections = acceptedConnections;
        for (Outcome.Kind kind : Outcome.Kind.values()) {
            outcomes.put(
                    kind, counter("raftlock.commands", "Commands applied", "outcome", kind.name()));
        }
        for (Notice.Kind kind : Notice.Kind.values()) {
            notices.put(
                    kind, counter("raftlock.notices", "Effects on others", "kind", kind.name()));
        }
        gauge("raftlock.leading", "1 while this node leads", log, node -> isLeading(node));
        gauge("raftlock.term", "Current term", log, node -> node.leadership().term());
        state("raftlock.applied.index", "Last log index applied", log, s -> s.appliedIndex());
        state("raftlock.sessions", "Open sessions", log, s -> s.sessionCount());
        state("raftlock.holds", "Locks held", log, s -> s.holdCount());
        state("raftlock.waiters", "Acquires that wait", log, s -> s.waiterCount());
        gauge(
                "raftlock.disk.free.bytes",
                "Free space of the disk of the data directory, -1 if unknown",
                diskFreeBytes,
                LongSupplier::getAsLong);
        gauge(
                "raftlock.connections",
                "Connections of clients",
                openConnections,
                IntSupplier::getAsInt);
        FunctionCounter.builder(
                        "raftlock.connections.accepted",
                        this,
                        metrics -> metrics.acceptedConnections.getAsLong())
                .description("Connections of clients since the start, refused ones too")
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
    }

    private Counter counter(String name, String help, String tag, String value) {
        return Counter.builder(name)
                .description(help)
                .tag(tag, value.toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private <T> void gauge(String name, String help, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(help).strongReference(true).register(registry);
    }

    private void state(
            String name, String help, ReplicatedLog log, Function<LockStateMachine, Number> value) {
        gauge(name, help, log, node -> node.read(value).doubleValue());
    }

    private static double isLeading(ReplicatedLog log) {
        return log.isLeading() ? 1 : 0;
    }

    /** Counts what one entry did. */
    public void applied(Applied applied) {
        applied.outcomes().forEach(outcome -> increment(outcomes.get(outcome.kind())));
        applied.notices().forEach(notice -> increment(notices.get(notice.kind())));
    }

    private static void increment(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    /** Returns all meters in the text format of Prometheus. */
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        registry.close();
    }
}
