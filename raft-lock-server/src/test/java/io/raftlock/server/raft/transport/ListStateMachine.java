package io.raftlock.server.raft.transport;

import com.alipay.sofa.jraft.Closure;
import com.alipay.sofa.jraft.Iterator;
import com.alipay.sofa.jraft.Status;
import com.alipay.sofa.jraft.core.StateMachineAdapter;
import com.alipay.sofa.jraft.error.RaftError;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotReader;
import com.alipay.sofa.jraft.storage.snapshot.SnapshotWriter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers the entries applied, in order. Owned by the apply thread, read by the test. */
final class ListStateMachine extends StateMachineAdapter {
    private static final String FILE = "entries";

    final AtomicInteger snapshotsLoaded = new AtomicInteger();
    private volatile List<String> applied = List.of();

    List<String> applied() {
        return applied;
    }

    @Override
    public void onApply(Iterator entries) {
        List<String> next = new ArrayList<>(applied);
        List<Closure> done = new ArrayList<>();
        for (; entries.hasNext(); entries.next()) {
            next.add(StandardCharsets.UTF_8.decode(entries.getData().duplicate()).toString());
            if (entries.done() != null) {
                done.add(entries.done());
            }
        }
        applied = List.copyOf(next);
        done.forEach(closure -> closure.run(Status.OK()));
    }

    @Override
    public void onSnapshotSave(SnapshotWriter writer, Closure done) {
        try {
            Files.write(Path.of(writer.getPath(), FILE), applied);
            writer.addFile(FILE);
            done.run(Status.OK());
        } catch (IOException e) {
            done.run(new Status(RaftError.EINTERNAL, "%s", e));
        }
    }

    @Override
    public boolean onSnapshotLoad(SnapshotReader reader) {
        try {
            applied = List.copyOf(Files.readAllLines(Path.of(reader.getPath(), FILE)));
            snapshotsLoaded.incrementAndGet();
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
