package io.raftlock.chaos.report;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.Action;
import io.raftlock.chaos.history.Event.Phase;
import io.raftlock.chaos.history.Event.Result;
import io.raftlock.chaos.schedule.FaultKind;
import io.raftlock.chaos.schedule.Role;
import io.raftlock.chaos.schedule.Schedule;
import io.raftlock.chaos.schedule.Step;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A run of 40 s as one could be: the leader is killed at +12 s, the next one comes at +13.2 s;
 * packets get lost from +22 s to +27 s, and a follower stands still meanwhile. Two calls get their
 * tokens in the wrong order.
 */
final class ExampleRun {
    static final long START = 7_000_000_000_000L;
    static final long LAST_GRANT_BEFORE = at(11.990);
    static final long FIRST_GRANT_AFTER = at(13.250);
    static final String EVIL_LOCK = "<script>alert(\"x\" && 'y')</script>\u0001";
    static final long EARLIER = 1_000_001;
    static final long LATER = 1_000_002;

    private final Random random = new Random(1);
    private final List<Event> events = new ArrayList<>();
    private final double stretch;
    private long calls;
    private long tokens;

    private ExampleRun(double stretch) {
        this.stretch = stretch;
    }

    static List<Event> events() {
        return events(6, 1);
    }

    /**
     * Returns the events of a run.
     *
     * @param actors of two clients
     * @param stretch by which the pauses between calls are longer
     */
    static List<Event> events(int actors, double stretch) {
        ExampleRun run = new ExampleRun(stretch);
        run.phases();
        run.nodes();
        run.faults();
        for (int actor = 0; actor < actors; actor++) {
            run.actor("c" + (1 + actor % 2) + "-1", actor / 2);
        }
        run.edges();
        run.events.sort(Comparator.comparingLong(Event::atNanos));
        return run.events;
    }

    static long at(double seconds) {
        return START + Math.round(seconds * 1e9);
    }

    static Schedule schedule() {
        return new Schedule(
                42,
                3,
                List.of("MUTEX", "STORE"),
                List.of(
                        Step.of(9_000, FaultKind.KILL, Role.LEADER, 4_000),
                        Step.of(10_000, FaultKind.LOSS, Role.EVERYBODY, 5_000).amount(20),
                        Step.of(2_000, FaultKind.PAUSE, Role.FOLLOWER, 2_500)));
    }

    static Findings failed() {
        Finding tokens =
                new Finding(
                        "token 900 of " + EVIL_LOCK + " was given after token 901",
                        at(13.4),
                        List.of(EARLIER, LATER));
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("layout", "NETNS");
        facts.put("baseline p99", "8.1 ms");
        facts.put(Findings.SLOWNESS, "1.5");
        return new Findings(
                "FAILED",
                List.of(
                        new CheckLine(3, "tokens", "tokens rise", 5_000, List.of(tokens)),
                        new CheckLine(8, "replicas", "digests agree", 120, List.of())),
                List.of(),
                List.of(new Skipped("DUPLICATE", "this host has no nft")),
                facts);
    }

    static Findings passed() {
        return new Findings(
                "PASSED",
                List.of(new CheckLine(3, "tokens", "tokens rise", 5_000, List.of())),
                List.of(),
                List.of(),
                Map.of());
    }

    private void phases() {
        events.add(new Event.PhaseBegan(at(0), Phase.START));
        events.add(new Event.PhaseBegan(at(3), Phase.BASELINE));
        events.add(new Event.PhaseBegan(at(6), Phase.FAULTS));
        events.add(new Event.PhaseBegan(at(30), Phase.RECOVERY));
        events.add(new Event.PhaseBegan(at(36), Phase.FINAL));
        events.add(new Event.PhaseBegan(at(39), Phase.STOP));
        events.add(new Event.Noted(at(40), "setup", "host", "all is over & done"));
    }

    private void nodes() {
        for (int node = 1; node <= 3; node++) {
            events.add(new Event.NodeStarted(at(0.1 * node), "n" + node, 1, 100 + node));
        }
        for (double second = 2; second < 39; second += 0.5) {
            seen("n1", second, second < 12, second > 12 && second < 16.5, 1);
            seen("n2", second, second >= 13.2, second > 24 && second < 26.5, 2);
            seen("n3", second, false, false, second < 13.2 ? 1 : 2);
        }
        events.add(new Event.NodeSeen(at(13.2), "n2", "LEADER", 2, "n2", 900, "d", 2, 1, 1));
        events.add(new Event.NodeEnded(at(12), "n1", 1, 137, true));
        events.add(new Event.NodeStarted(at(16), "n1", 2, 104));
        for (int node = 1; node <= 3; node++) {
            events.add(new Event.NodeEnded(at(39.5), "n" + node, 2, 0, true));
        }
        events.add(new Event.ClientStarted(at(1), "c1", "c1-1", "MUTEX", 200));
        events.add(new Event.SessionSeen(at(1.2), "c1-1", "OPEN", 11, ""));
        events.add(new Event.SessionSeen(at(12.6), "c1-1", "SUSPECT", 11, "no answer for 500 ms"));
    }

    private void seen(String node, double second, boolean leads, boolean silent, long term) {
        if (!silent) {
            String role = leads ? "LEADER" : "FOLLOWER";
            events.add(new Event.NodeSeen(at(second), node, role, term, "", 900, "d", 2, 1, 1));
        }
    }

    private void faults() {
        events.add(new Event.FaultBegan(at(12), 0, "KILL", "n1", "n1", 1));
        events.add(new Event.FaultEnded(at(16), 0, "KILL", "process 101 is gone"));
        events.add(new Event.FaultBegan(at(22), 1, "LOSS", "n1, n2, n3, c1, c2", "n2", 2));
        events.add(new Event.FaultEnded(at(27), 1, "LOSS", ""));
        events.add(new Event.FaultBegan(at(24), 2, "PAUSE", "n3", "n2", 2));
        events.add(new Event.FaultEnded(at(26.5), 2, "PAUSE", "State: T"));
    }

    private void actor(String client, int actor) {
        long now = at(3) + random.nextInt(1_000_000);
        while (now < at(35)) {
            now = acquireAndRelease(now, client, actor);
            now += (long) ((5_000_000 + random.nextInt(20_000_000)) * stretch);
        }
    }

    private long acquireAndRelease(long asked, String client, int actor) {
        String lock = "orders/" + random.nextInt(3);
        Action action = Action.values()[random.nextInt(3)];
        long call = ++calls;
        Result result = result(asked);
        long answered = answered(asked, result);
        long token = result == Result.OK ? ++tokens : 0;
        String detail = result == Result.OK ? "" : "held by another";
        events.add(new Event.Invoked(asked, call, client, actor, action, lock, 0));
        events.add(new Event.Returned(answered, call, result, token, detail));
        if (result != Result.OK) {
            return answered;
        }
        long over = answered + 1_000_000 + random.nextInt(8_000_000);
        long freed = over + 2_000_000 + random.nextInt(4_000_000);
        long release = ++calls;
        events.add(new Event.Believed(over, call, true, false));
        events.add(new Event.Invoked(over, release, client, actor, Action.RELEASE, lock, token));
        events.add(new Event.Returned(freed, release, Result.OK, 0, ""));
        return freed;
    }

    private Result result(long asked) {
        int drawn = random.nextInt(100);
        if (asked > at(11.9) && asked < at(13) && drawn < 30) {
            return Result.INFO;
        }
        return drawn < 25 ? Result.FAIL : Result.OK;
    }

    /** No lock is given between the two edges of the gap. */
    private long answered(long asked, Result result) {
        boolean isLossy = asked > at(22) && asked < at(27);
        double wait = Math.exp(random.nextGaussian() * (isLossy ? 1.2 : 0.5)) * 4_000_000;
        long answered = asked + (long) wait;
        if (result != Result.FAIL && answered > LAST_GRANT_BEFORE && asked < FIRST_GRANT_AFTER) {
            return FIRST_GRANT_AFTER + 1 + random.nextInt(300_000_000);
        }
        return answered;
    }

    private void edges() {
        grant(EARLIER - 1, at(11.98), LAST_GRANT_BEFORE, "orders/1", 800);
        grant(EARLIER, at(12.5), FIRST_GRANT_AFTER, EVIL_LOCK, 901);
        grant(LATER, at(13.38), at(13.4), EVIL_LOCK, 900);
        events.add(
                new Event.Stored(
                        at(13.41),
                        "c3-1",
                        EVIL_LOCK,
                        Event.StoreAction.WRITE,
                        900,
                        LATER,
                        0,
                        0,
                        true));
        events.add(new Event.Invoked(at(34), 2_000_000, "c4-1", 0, Action.LOCK, "orders/9", 0));
    }

    private void grant(long call, long asked, long answered, String lock, long token) {
        events.add(new Event.Invoked(asked, call, "c3-1", 0, Action.LOCK, lock, 0));
        events.add(new Event.Returned(answered, call, Result.OK, token, "first & only"));
    }
}
