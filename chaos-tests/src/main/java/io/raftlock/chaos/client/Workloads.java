package io.raftlock.chaos.client;

import org.jspecify.annotations.Nullable;

/** Makes what each actor of a client does. Owned by the thread that starts the actors. */
final class Workloads {
    private final WorkloadKind kind;
    private final LockClients clients;
    private final Nodes nodes;
    private final StoreClient store;
    private @Nullable WatchedClient shared;

    Workloads(WorkloadKind kind, LockClients clients, Nodes nodes, StoreClient store) {
        this.kind = kind;
        this.clients = clients;
        this.nodes = nodes;
        this.store = store;
    }

    Workload of(Actor actor) {
        return switch (kind) {
            case FENCED_MUTEX -> new FencedMutex(actor, shared());
            case REENTRANT -> new Reentry(actor, shared());
            case FAIR_QUEUE -> new FairQueue(actor, shared(), clients);
            case FENCED_STORE -> new FencedUpdates(actor, shared(), store);
            case SESSIONS -> new SilentSessions(actor, clients, nodes);
            case MANY_KEYS -> new ManyKeys(actor, clients);
            case HOLDER_READS -> new HolderReads(actor, nodes);
            case RETRIES -> new RetriedRequests(actor, nodes);
            case IDLE -> new IdleBursts(actor, shared());
            case SWEEP -> new Sweep(actor, shared());
        };
    }

    /** One client of a program serves all its threads. */
    private WatchedClient shared() {
        WatchedClient client = shared;
        if (client == null) {
            client = clients.open();
            shared = client;
        }
        return client;
    }
}
