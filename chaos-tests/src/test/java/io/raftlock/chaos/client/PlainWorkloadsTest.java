package io.raftlock.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.protocol.Request;
import io.raftlock.protocol.Response;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** What the workloads of the plain protocol notice when a node does what it must not. */
class PlainWorkloadsTest {
    private static final int CYCLES = 80;

    private final List<Event> events = new ArrayList<>();

    @Test
    void anHonestNodeGivesNoCauseForANote() throws Exception {
        reads((request, honest) -> honest);
        retries((request, honest) -> honest);
        assertThat(notes()).containsOnly("reads");
        assertThat(done(Action.TIMED_LOCK)).isEqualTo(CYCLES);
        assertThat(done(Action.TRY_LOCK)).isPositive();
        assertThat(done(Action.RETRY)).isPositive();
        assertThat(done(Action.RELEASE)).isGreaterThan(CYCLES);
        checkThatBeliefsEnd();
    }

    @Test
    void aNodeThatForgetsAHoldIsNoted() throws Exception {
        reads(
                (request, honest) ->
                        request instanceof Request.KeepAlive asked
                                ? new Response.KeptAlive(0, List.of(), asked.pending())
                                : honest);
        assertThat(notes()).contains("read");
    }

    @Test
    void aNodeThatAttachesASessionThatHasEndedIsNoted() throws Exception {
        reads(
                (request, honest) ->
                        request instanceof Request.Attach
                                ? new Response.Attached(new SessionId(1))
                                : honest);
        assertThat(notes()).contains("read");
    }

    @Test
    void aNodeThatEndsASessionBeforeItsTimeIsNoted() throws Exception {
        reads(
                (request, honest) ->
                        request instanceof Request.KeepAlive ? PretendNode.expired() : honest);
        assertThat(notes()).contains("early-expiry");
        checkThatBeliefsEnd();
    }

    @Test
    void aRetryThatIsGrantedAnotherTokenIsNoted() throws Exception {
        AtomicInteger more = new AtomicInteger();
        retries(
                (request, honest) ->
                        honest instanceof Response.Granted granted
                                ? new Response.Granted(
                                        new Response.Grant(
                                                granted.grant().number(),
                                                granted.grant().token() + more.incrementAndGet(),
                                                0),
                                        0)
                                : honest);
        assertThat(notes()).contains("retry");
        checkThatBeliefsEnd();
    }

    @Test
    void aNodeThatDoesNotLeadIsAskedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        reads(
                (request, honest) ->
                        !(request instanceof Request.Hello) && asked.incrementAndGet() == 1
                                ? new Response.NotLeader("")
                                : honest);
        assertThat(done(Action.TIMED_LOCK)).isEqualTo(CYCLES);
    }

    private void reads(BiFunction<Request, Response, Response> lie) throws Exception {
        run(WorkloadKind.HOLDER_READS, lie, HolderReads::new);
    }

    private void retries(BiFunction<Request, Response, Response> lie) throws Exception {
        run(WorkloadKind.RETRIES, lie, RetriedRequests::new);
    }

    private void run(
            WorkloadKind kind,
            BiFunction<Request, Response, Response> lie,
            BiFunction<Actor, Nodes, Workload> maker)
            throws InterruptedException, TimeoutException {
        CallLog calls = new CallLog("c1.1", kind.ordinal(), System::nanoTime, events::add);
        WorkloadSpec spec = WorkloadSpec.of(kind, 1_000);
        Actor actor = new Actor(0, new Random(5), calls, new Gate(), spec);
        try (PretendNode node = new PretendNode(lie)) {
            Nodes nodes = new Nodes(List.of(node.address()));
            Workload workload = maker.apply(actor, nodes);
            for (int i = 0; i < CYCLES; i++) {
                workload.cycle();
            }
            workload.letGo();
            nodes.close();
        }
    }

    /** Each hold that is told of is told to be over, once. */
    private void checkThatBeliefsEnd() {
        Set<Long> over = new HashSet<>();
        for (Event event : events) {
            if (event instanceof Event.Believed believed && believed.over()) {
                assertThat(over.add(believed.call())).isTrue();
            }
        }
        Set<Long> granted = new HashSet<>();
        for (Event event : events) {
            if (event instanceof Event.Returned back && isAcquire(back.call()) && ok(back)) {
                granted.add(back.call());
            }
        }
        assertThat(over).containsAll(granted);
    }

    private boolean isAcquire(long call) {
        Action action = actionOf(call);
        return action == Action.TRY_LOCK || action == Action.TIMED_LOCK;
    }

    private long done(Action action) {
        return events.stream()
                .filter(Event.Returned.class::isInstance)
                .map(Event.Returned.class::cast)
                .filter(back -> ok(back) && actionOf(back.call()) == action)
                .count();
    }

    private static boolean ok(Event.Returned back) {
        return back.result() == Result.OK;
    }

    private Action actionOf(long call) {
        return events.stream()
                .filter(Event.Invoked.class::isInstance)
                .map(Event.Invoked.class::cast)
                .filter(invoked -> invoked.call() == call)
                .findFirst()
                .orElseThrow()
                .action();
    }

    private List<String> notes() {
        return events.stream()
                .filter(Event.Noted.class::isInstance)
                .map(event -> ((Event.Noted) event).kind())
                .toList();
    }
}
