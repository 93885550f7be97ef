package io.raftlock.chaos.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.chaos.history.Event;
import io.raftlock.chaos.history.Event.StoreAction;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class FencedStoreTest {
    private static final String LOCK = "store/0";
    private static final long OLD = 100;
    private static final long NEW = 200;
    private static final long OLD_ELEMENT = 1;
    private static final long NEW_ELEMENT = 2;

    private final List<Event> events = new ArrayList<>();

    @Test
    void aGuardedStoreRefusesTheWriteOfAHolderThatWasPausedAfterItsRead() {
        FencedStore store = store(true);
        long readByOld = read(store, OLD);
        long readByNew = read(store, NEW);
        assertThat(write(store, OLD, OLD_ELEMENT, readByOld)).isZero();
        assertThat(write(store, NEW, NEW_ELEMENT, readByNew)).isNotZero();
        assertThat(store.content(LOCK)).containsExactly(NEW_ELEMENT);
        assertThat(store.lost(LOCK)).isEmpty();
    }

    @Test
    void anUnguardedStoreLosesAnUpdateWhenAHolderWasPausedAfterItsRead() {
        FencedStore store = store(false);
        long readByOld = read(store, OLD);
        long readByNew = read(store, NEW);
        assertThat(write(store, OLD, OLD_ELEMENT, readByOld)).isNotZero();
        assertThat(write(store, NEW, NEW_ELEMENT, readByNew)).isNotZero();
        assertThat(store.content(LOCK)).containsExactly(NEW_ELEMENT);
        assertThat(store.lost(LOCK)).containsExactly(OLD_ELEMENT);
    }

    @Test
    void aWriteThatComesAfterTheOneOfTheNextHolderIsRefused() {
        FencedStore store = store(true);
        long readByOld = read(store, OLD);
        write(store, NEW, NEW_ELEMENT, read(store, NEW));
        assertThat(write(store, OLD, OLD_ELEMENT, readByOld)).isZero();
        assertThat(read(store, OLD)).isZero();
    }

    @Test
    void oneLockSaysNothingOfTheTokensOfAnother() {
        FencedStore store = store(true);
        read(store, NEW);
        StoreAnswer other = store.answer("c1.1", StoreRequest.read(9, "store/1", OLD));
        assertThat(other).isEqualTo(new StoreAnswer(9, FencedStore.FIRST_VERSION));
    }

    @Test
    void updatesOneAfterTheOtherAreAllThere() {
        FencedStore store = store(true);
        for (long token = 1; token <= 5; token++) {
            write(store, token, 10 + token, read(store, token));
        }
        assertThat(store.content(LOCK)).containsExactlyInAnyOrder(11L, 12L, 13L, 14L, 15L);
        assertThat(store.lost(LOCK)).isEmpty();
    }

    @Test
    void eachAnswerIsReportedWithItsVersion() {
        FencedStore store = store(true);
        write(store, OLD, OLD_ELEMENT, read(store, OLD));
        read(store, OLD - 1);
        assertThat(events)
                .containsExactly(
                        stored(StoreAction.READ, OLD, 0, 1, 0),
                        stored(StoreAction.WRITE, OLD, OLD_ELEMENT, 2, 1),
                        stored(StoreAction.READ, OLD - 1, 0, 0, 0));
    }

    @Test
    void aWriteHasToBeBasedOnAVersionThatThereIs() {
        FencedStore store = store(true);
        assertThatThrownBy(() -> write(store, OLD, OLD_ELEMENT, 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private FencedStore store(boolean guarded) {
        return new FencedStore(guarded, () -> 7, events::add);
    }

    private static Event stored(
            StoreAction action, long token, long element, long version, long basedOn) {
        return new Event.Stored(7, "c1.1", LOCK, action, token, element, version, basedOn, true);
    }

    private static long read(FencedStore store, long token) {
        return store.answer("c1.1", StoreRequest.read(1, LOCK, token)).version();
    }

    private static long write(FencedStore store, long token, long element, long basedOn) {
        return store.answer("c1.1", StoreRequest.write(2, LOCK, token, element, basedOn)).version();
    }
}
