package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;

/**
 * Whatever is done to the locks, they are what a plain map with copies of everything says, and what
 * was shared earlier is still what it was.
 */
class LocksPropertyTest {
    private static final int NAMES = 300;
    private static final int STEPS = 4_000;
    private static final int STEPS_OF_A_TIDE = 700;
    private static final int STEPS_BETWEEN_SHARES = 60;

    private final Locks locks = new Locks();
    private final LinkedHashMap<LockName, LockRecord> model = new LinkedHashMap<>();
    private final List<Shared> shared = new ArrayList<>();
    private long lastNumber;

    private record Shared(List<LockRecord> locks, List<LockRecord> then) {}

    @Property(tries = 60, seed = "20", shrinking = ShrinkingMode.OFF)
    void whatWasSharedStaysAndTheRestIsAsTheModelSays(@ForAll long seed) {
        Random chance = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            boolean rising = step / STEPS_OF_A_TIDE % 2 == 0;
            change(chance, rising);
            if (chance.nextInt(STEPS_BETWEEN_SHARES) == 0) {
                share();
            }
        }
        share();
        for (Shared earlier : shared) {
            assertThat(earlier.locks()).isEqualTo(earlier.then());
        }
    }

    private void share() {
        List<LockRecord> now = List.copyOf(model.values());
        shared.add(new Shared(locks.share(), now));
        assertThat(shared.get(shared.size() - 1).locks()).isEqualTo(now);
        assertThat(locks.heldCount()).isEqualTo(now.size());
        assertThat(locks.waiterCount())
                .isEqualTo(now.stream().mapToInt(lock -> lock.waiters().size()).sum());
    }

    private void change(Random chance, boolean rising) {
        LockName name = new LockName("lock-" + chance.nextInt(NAMES));
        LockRecord lock = model.get(name);
        if (lock == null) {
            if (rising) {
                add(name);
            }
        } else if (rising && chance.nextInt(3) > 0) {
            enqueue(lock);
        } else if (!lock.waiters().isEmpty() && chance.nextBoolean()) {
            onlyTheHolderPassesOn(lock);
            dequeue(lock, chance.nextInt(lock.waiters().size()));
        } else {
            passOn(lock);
        }
    }

    private Claim claim(LockName name) {
        lastNumber++;
        return new Claim(new SessionId(1), lastNumber, lastNumber, name, 0, "");
    }

    private Hold hold(Claim claim) {
        lastNumber++;
        return new Hold(claim, lastNumber, lastNumber % 3);
    }

    private void add(LockName name) {
        Hold hold = hold(claim(name));
        locks.add(hold);
        model.put(name, new LockRecord(name, hold, List.of()));
    }

    private void enqueue(LockRecord lock) {
        Claim claim = claim(lock.name());
        List<Claim> waiters = new ArrayList<>(lock.waiters());
        waiters.add(claim);
        assertThat(locks.enqueue(claim)).isEqualTo(waiters.size());
        put(lock.hold(), waiters);
    }

    private void dequeue(LockRecord lock, int at) {
        List<Claim> waiters = new ArrayList<>(lock.waiters());
        locks.dequeue(waiters.remove(at));
        put(lock.hold(), waiters);
    }

    private void onlyTheHolderPassesOn(LockRecord lock) {
        assertThatThrownBy(() -> locks.passOn(lock.waiters().get(0), this::hold))
                .isInstanceOf(IllegalStateException.class);
    }

    private void passOn(LockRecord lock) {
        List<Claim> waiters = new ArrayList<>(lock.waiters());
        List<Hold> granted = new ArrayList<>();
        locks.passOn(
                lock.hold().claim(),
                next -> {
                    granted.add(hold(next));
                    return granted.get(0);
                });
        if (waiters.isEmpty()) {
            assertThat(granted).isEmpty();
            model.remove(lock.name());
        } else {
            assertThat(granted).extracting(Hold::claim).containsExactly(waiters.remove(0));
            put(granted.get(0), waiters);
        }
    }

    private void put(Hold hold, List<Claim> waiters) {
        LockName name = hold.claim().name();
        model.put(name, new LockRecord(name, hold, List.copyOf(waiters)));
        assertThat(locks.get(hold.claim()).hold()).isEqualTo(hold);
    }
}
