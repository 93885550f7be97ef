package io.raftlock.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.bench.peer.Peer;
import io.raftlock.bench.peer.PeerLock;
import io.raftlock.bench.peer.RenewablePeerLock;

import org.junit.jupiter.api.Test;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

class RenewalsTest {
    private static final PrintStream QUIET =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    @Test
    void ofTenOperationsNineAreRenewalsOfALockThatIsHeld() throws Exception {
        Locks locks = new Locks(Long.MAX_VALUE);
        Meter.Measurement measured = run(locks);
        assertThat(locks.renewals).hasValue(9 * locks.cycles.get());
        assertThat(locks.held).hasValue(0);
        long counted = measured.cycle().getTotalCount() + measured.renewal().getTotalCount();
        assertThat(measured.renewal().getTotalCount()).isBetween(counted * 8 / 10, counted);
        assertThat(measured.cyclesPerSecond()).isEqualTo(counted * 1e9 / measured.nanos());
    }

    @Test
    void aRenewalThatFailsEndsTheRun() {
        assertThatThrownBy(() -> run(new Locks(100)))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("a caller failed")
                .hasMessageContaining("the session was lost");
    }

    private static Meter.Measurement run(Locks locks) throws InterruptedException {
        return new LoadRun(Cell.parse("renew:2"), QUIET)
                .run(List.of(locks), Duration.ofMillis(20), Duration.ofMillis(100));
    }

    /** A client whose locks do nothing but count. */
    private static final class Locks implements Peer {
        private final long renewable;
        private final AtomicLong held = new AtomicLong();
        private final AtomicLong cycles = new AtomicLong();
        private final AtomicLong renewals = new AtomicLong();

        /**
         * @param renewable after so many renewals the session is lost
         */
        Locks(long renewable) {
            this.renewable = renewable;
        }

        @Override
        public PeerLock lock(String name) {
            return new PeerLock() {
                @Override
                public void acquire() {
                    held.incrementAndGet();
                }

                @Override
                public void release() {
                    held.decrementAndGet();
                    cycles.incrementAndGet();
                }
            };
        }

        @Override
        public RenewablePeerLock renewableLock(String name) {
            return RenewablePeerLock.of(lock(name), this::renew);
        }

        private void renew() {
            assertThat(held).hasPositiveValue();
            if (renewals.incrementAndGet() > renewable) {
                throw new IllegalStateException("the session was lost");
            }
        }

        @Override
        public void close() {}
    }
}
