package io.raftlock.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.protocol.Request;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Whenever an interrupt hits a call, nothing that nobody owns is left behind. */
class InterruptTest extends SimulatedClient {
    private static final int ROUNDS = 500;
    private static final Duration ONE_WAY = ROUND_TRIP.dividedBy(2);

    private enum Form {
        LOCK_INTERRUPTIBLY,
        TRY_LOCK,
        ACQUIRE,
        TRY_ACQUIRE,
        LOCK,
        UNLOCK;

        boolean endsEarly() {
            return this != LOCK && this != UNLOCK;
        }

        boolean clearsFlag() {
            return this == LOCK_INTERRUPTIBLY || this == TRY_LOCK;
        }
    }

    private enum Moment {
        BEFORE_THE_CALL,
        BEFORE_IT_IS_SENT,
        IN_FLIGHT,
        AFTER_IT_IS_APPLIED,
        JUST_BEFORE_THE_ANSWER,
        WITH_THE_ANSWER
    }

    /** What happens in one round. */
    private record Round(
            Form form, Moment moment, boolean contended, boolean twice, boolean interruptFirst) {
        static Round draw(Form form, Random random) {
            return new Round(
                    form,
                    Moment.values()[random.nextInt(Moment.values().length)],
                    form != Form.UNLOCK && random.nextBoolean(),
                    random.nextBoolean(),
                    random.nextBoolean());
        }
    }

    /** How the call came back, and whether the flag was set then. */
    private record End(boolean owned, boolean flag) {}

    private Caller thread;
    private String why;

    static Stream<Arguments> callers() {
        return Arrays.stream(Form.values())
                .flatMap(form -> Caller.factories().map(factory -> Arguments.of(form, factory)));
    }

    @AfterEach
    void endThread() throws InterruptedException {
        thread.close();
    }

    @ParameterizedTest
    @MethodSource("callers")
    void wheneverAnInterruptHitsNothingIsLeftBehind(Form form, ThreadFactory factory) // H7
            throws Exception {
        long seed = 7 + form.ordinal();
        Random random = new Random(seed);
        thread = new Caller(loop, factory);
        openSession();
        for (int at = 0; at < ROUNDS; at++) {
            Round round = Round.draw(form, random);
            why = "seed %d, round %d: %s".formatted(seed, at, round);
            assertRight(round, play(round));
            loop.advance(ROUND_TRIP);
            assertThat(thread.call(lock::holdCount)).as(why).isZero();
            assertFree(why);
        }
        assertNothingIsKeptForTheCalls();
    }

    private End play(Round round) throws Exception {
        if (round.contended) {
            cluster.strangerLocks("k");
        }
        if (round.form == Form.UNLOCK) {
            thread.run(lock::lock);
        }
        FutureTask<End> call =
                thread.start(() -> make(round.form, round.moment == Moment.BEFORE_THE_CALL));
        hit(round);
        thread.settle();
        if (round.twice && !call.isDone()) {
            thread.interrupt();
            thread.settle();
        }
        if (round.contended && round.moment.compareTo(Moment.AFTER_IT_IS_APPLIED) < 0) {
            cluster.strangerUnlocks("k");
        }
        return thread.finish(call);
    }

    private void hit(Round round) {
        switch (round.moment) {
            case BEFORE_THE_CALL -> {}
            case BEFORE_IT_IS_SENT -> thread.interrupt();
            case IN_FLIGHT -> {
                loop.settle();
                thread.interrupt();
            }
            case AFTER_IT_IS_APPLIED -> {
                apply(round);
                thread.interrupt();
            }
            case JUST_BEFORE_THE_ANSWER -> {
                apply(round);
                loop.advance(ONE_WAY.minusNanos(1));
                thread.interrupt();
            }
            case WITH_THE_ANSWER -> withTheAnswer(round);
        }
    }

    /** The thread is woken by the one and finds the other, or does not. */
    private void withTheAnswer(Round round) {
        apply(round);
        if (round.interruptFirst) {
            thread.interrupt();
            loop.advance(ONE_WAY);
        } else {
            loop.advance(ONE_WAY);
            thread.interrupt();
        }
    }

    private void apply(Round round) {
        loop.advance(ONE_WAY);
        if (round.contended) {
            loop.advance(ONE_WAY);
            cluster.strangerUnlocks("k");
        }
        assertThat(cluster.isHeldBy(session(), "k")).as(why).isEqualTo(round.form != Form.UNLOCK);
    }

    private End make(Form form, boolean interruptFirst) {
        if (interruptFirst) {
            Thread.currentThread().interrupt();
        }
        try {
            switch (form) {
                case LOCK_INTERRUPTIBLY -> lock.lockInterruptibly();
                case TRY_LOCK -> assertThat(lock.tryLock(1, TimeUnit.DAYS)).isTrue();
                case LOCK -> lock.lock();
                case ACQUIRE -> lock.acquire().release();
                case TRY_ACQUIRE -> lock.tryAcquire(Duration.ofDays(1)).orElseThrow().release();
                case UNLOCK -> {}
            }
            if (lock.isHeldByCurrentThread()) {
                // Also with the flag set.
                lock.unlock();
            }
            return new End(true, Thread.interrupted());
        } catch (InterruptedException | CancellationException interrupted) {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            return new End(false, Thread.interrupted());
        }
    }

    private void assertRight(Round round, End end) {
        boolean withTheAnswer = round.moment == Moment.WITH_THE_ANSWER;
        if (!round.form.endsEarly()) {
            assertThat(end.owned).as(why).isTrue();
        } else if (!withTheAnswer) {
            assertThat(end.owned).as(why).isFalse();
        }
        if (end.owned) {
            boolean mayHaveEndedBefore = round.form == Form.UNLOCK && withTheAnswer;
            assertThat(end.flag || mayHaveEndedBefore).as("the flag stays, %s", why).isTrue();
        } else if (!round.form.clearsFlag()) {
            assertThat(end.flag).as("the flag stays, %s", why).isTrue();
        } else if (!round.twice) {
            assertThat(end.flag).as("the flag is cleared, %s", why).isFalse();
        }
    }

    private void assertNothingIsKeptForTheCalls() {
        loop.advance(PERIOD.multipliedBy(2));
        List<Request.KeepAlive> keepAlives = cluster.received(Request.KeepAlive.class);
        assertThat(keepAlives.get(keepAlives.size() - 1).pending()).isEmpty();
    }
}
