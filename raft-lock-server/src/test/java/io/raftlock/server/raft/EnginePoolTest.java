package io.raftlock.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.raftlock.server.lock.Command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(60)
class EnginePoolTest {
    private static final int COMMANDS = 200;

    @TempDir Path root;

    /** The engine's tasks are known by its names. If it changes those, it shows here. */
    @Test
    void noThreadIsWokenToSendWhatWasAppended() throws Exception {
        try (TestGroup group = TestGroup.started(root, 3)) {
            RaftGroup leader = group.leader();
            group.awaitEqualStates();
            ThreadPoolExecutor pool = Engine.closures(group.cluster);
            long before = pool.getTaskCount();
            for (int number = 0; number < COMMANDS; number++) {
                assertThat(TestGroup.verdict(leader, new Command.Stamp()))
                        .isInstanceOf(Verdict.Done.class);
            }
            assertThat(pool.getTaskCount() - before).isLessThan(COMMANDS / 2);
        }
    }

    @Test
    void othersTasksRunOnItsThreads() throws Exception {
        EnginePool pool = new EnginePool(2, task -> new Thread(task, "pool"));
        AtomicReference<String> ranOn = new AtomicReference<>("");
        Thread appending =
                new Thread(
                        () -> pool.submit(() -> ranOn.set(Thread.currentThread().getName())),
                        EnginePool.APPENDING_THREAD + "0");
        appending.start();
        appending.join();
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ranOn.get()).isEqualTo("pool");
    }
}
