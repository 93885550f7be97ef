package io.raftlock.server.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.raftlock.protocol.LockName;
import io.raftlock.protocol.SessionId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Pages hold the locks in order, and are no more than their locks need. */
class LockPagesTest {
    private static final int MANY = 100 * Page.MAX_LOCKS;
    private static final int LOCKS_OF_A_PAGE = 16;

    private final LockPages pages = new LockPages();

    private static Hold hold(int number) {
        Claim claim =
                new Claim(new SessionId(1), number, number, new LockName("lock-" + number), 0, "");
        return new Hold(claim, number, 0);
    }

    private List<Lock> addMany() {
        List<Lock> added = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            added.add(pages.add(hold(number)));
        }
        return added;
    }

    private static List<LockRecord> records(List<Lock> locks) {
        return locks.stream().map(Lock::copy).toList();
    }

    @Test
    void locksThatComeOneAfterTheOtherFillTheirPages() {
        List<Lock> added = addMany();
        assertThat(pages.pageCount()).isEqualTo(MANY / Page.MAX_LOCKS);
        assertThat(pages.share()).isEqualTo(records(added));
    }

    @Test
    void ofManyLocksOfWhichFewAreLeftFewPagesAreLeft() {
        List<Lock> left = addMany();
        for (int number = MANY - 1; number >= 0; number--) {
            if (number % Page.MAX_LOCKS != 7) {
                pages.remove(left.remove(number));
            }
        }
        assertThat(pages.share()).isEqualTo(records(left));
        assertThat(pages.pageCount()).isLessThanOrEqualTo(MANY / Page.MAX_LOCKS / 10);
    }

    @Test
    void sparsePagesAreJoinedFromTheFrontToo() {
        List<Lock> left = new ArrayList<>();
        for (Lock lock : addMany()) {
            if (lock.place() % 4 == 0) {
                left.add(lock);
            } else {
                pages.remove(lock);
            }
        }
        assertThat(pages.share()).isEqualTo(records(left));
        assertThat(pages.pageCount()).isLessThanOrEqualTo(MANY / Page.MAX_LOCKS / 2);
        left.add(pages.add(hold(MANY)));
        assertThat(pages.share()).isEqualTo(records(left));
    }

    @Test
    void whicheverLocksAreLeftTheirPagesAreFew() {
        Random chance = new Random(20);
        List<Lock> left = addMany();
        while (!left.isEmpty()) {
            pages.remove(left.remove(chance.nextInt(left.size())));
            assertThat(pages.pageCount())
                    .isBetween(
                            (left.size() + Page.MAX_LOCKS - 1) / Page.MAX_LOCKS,
                            left.size() / LOCKS_OF_A_PAGE + 1);
        }
        assertThat(pages.pageCount()).isZero();
    }

    @Test
    void pagesWithoutALockAreDropped() {
        addMany().forEach(pages::remove);
        assertThat(pages.pageCount()).isZero();
        assertThat(pages.share()).isEmpty();
    }

    @Test
    void aLockThatWasReplacedChangesNoMore() {
        Lock first = addMany().get(9);
        Lock second = first.enqueue(hold(MANY).claim(), 0);
        pages.replace(first, second);
        assertThatThrownBy(() -> pages.replace(first, second))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> pages.remove(first)).isInstanceOf(IllegalStateException.class);
        pages.remove(second);
        assertThatThrownBy(() -> pages.remove(second)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aSharedListIsReadByNumberAsInOrder() {
        List<LockRecord> added = records(addMany());
        List<LockRecord> shared = pages.share();
        assertThat(shared).hasSize(MANY);
        for (int number = 0; number < MANY; number++) {
            assertThat(shared.get(number)).isEqualTo(added.get(number));
        }
        assertThatThrownBy(() -> shared.get(MANY)).isInstanceOf(IndexOutOfBoundsException.class);
    }
}
