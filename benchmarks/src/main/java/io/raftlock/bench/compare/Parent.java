package io.raftlock.bench.compare;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The program that started this one, which is at the other end of the standard input. When it is
 * gone this program ends at once, so that no load is left on a machine that nobody measures.
 */
final class Parent {
    private static final int ORPHANED = 1;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Parent() {}

    /** Begins to watch it. */
    static Parent watch() {
        Parent parent = new Parent();
        Thread thread = new Thread(parent::read, "parent");
        thread.setDaemon(true);
        thread.start();
        return parent;
    }

    /** Waits for the next line that it writes. */
    String line() throws InterruptedException {
        return lines.take();
    }

    private void read() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException goneToo) {
            // As at the end of what it wrote.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
