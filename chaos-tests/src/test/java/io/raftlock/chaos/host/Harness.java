package io.raftlock.chaos.host;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A run that makes one of each thing, says so, and then waits to be killed or told to end. */
final class Harness {
    private Harness() {}

    public static void main(String[] arguments) throws Exception {
        Path state = Path.of(arguments[0]);
        Path folder = Path.of(arguments[1]);
        Cleanup cleanup = Cleanup.open(state);
        String namespace = cleanup.namespace("n1");
        Programs.check(List.of("ip", "netns", "add", namespace));
        new ProcessBuilder("nsenter", "--net=/run/netns/" + namespace, "sleep", "300").start();
        NativeTools tools = NativeTools.compile(folder.resolve("tools"));
        Path mount = folder.resolve("disk");
        LoopDisk disk =
                LoopDisk.create(
                        cleanup, tools, "n1", LoopDisk.imageFolder(folder), mount, 16 << 20);
        Process user = new ProcessBuilder("sleep", "300").directory(disk.folder().toFile()).start();
        cleanup.process(user.pid());
        new ProcessControl(cleanup, Machine.capabilities()).freeze(user.pid());
        Files.writeString(mount.resolve("file"), "text");
        disk.freeze();
        System.out.println(cleanup.runId() + " " + user.pid());
        System.in.read();
    }
}
