package io.raftlock.bench.scale;

import io.raftlock.bench.load.LoadFailure;
import io.raftlock.bench.server.AdminPage;
import io.raftlock.bench.server.Jdk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what a node says of itself and what its process costs. Linux only.
 *
 * @param admin host:port of the node's pages
 */
record NodeMeter(String admin, long pid) {
    /** Of the young and the old generation of the serial collector; not of classes. */
    private static final Pattern USED =
            Pattern.compile("(?:new|tenured) generation .*?used (\\d+)K");

    /** What the kernel counts processor time in: 100 a second, as {@code getconf CLK_TCK} says. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** Returns the value of a meter without labels; empty if the node does not answer. */
    OptionalDouble value(String meter) throws InterruptedException {
        try {
            String page = AdminPage.read(admin, "/metrics");
            return page.lines()
                    .filter(line -> line.startsWith(meter + " "))
                    .mapToDouble(line -> Double.parseDouble(line.substring(meter.length() + 1)))
                    .findFirst();
        } catch (IOException notThere) {
            return OptionalDouble.empty();
        }
    }

    /** Returns the processor time of the process so far, in seconds. */
    double cpuSeconds() throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]))
                / TICKS_PER_SECOND;
    }

    /** Returns the bytes of the heap that are in use after a full collection. */
    long heapBytes() throws IOException, InterruptedException {
        String unused = jcmd("GC.run");
        Matcher used = USED.matcher(jcmd("GC.heap_info"));
        long kilobytes = 0;
        while (used.find()) {
            kilobytes += Long.parseLong(used.group(1));
        }
        if (kilobytes == 0) {
            throw new LoadFailure("jcmd " + pid + " GC.heap_info shows no serial collector");
        }
        return kilobytes * 1024;
    }

    private String jcmd(String command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(Jdk.program("jcmd"), Long.toString(pid), command)
                        .redirectErrorStream(true)
                        .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }
}
