package io.raftlock.chaos.client;

import io.raftlock.chaos.host.TrueTime;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The program of a client process: does its workload until it is told to stop, or until its input
 * ends because the driver is dead.
 *
 * <p>Exit codes: 0 in good order; 3 if the driver is gone; 4 if something did not come to an end.
 */
public final class ClientMain {
    static final int DRIVER_GONE = 3;
    static final int STUCK = 4;

    private ClientMain() {}

    /**
     * Runs until the end.
     *
     * @param arguments as {@link ClientProcess} writes them
     */
    public static void main(String[] arguments) {
        LineOutput out =
                new LineOutput(
                        new FileOutputStream(FileDescriptor.out),
                        () -> Runtime.getRuntime().halt(DRIVER_GONE));
        // Whatever else prints, a log for one, must not do so between the events.
        System.setOut(System.err);
        ClientSettings settings = ClientSettings.parse(List.of(arguments));
        ClientProgram program = new ClientProgram(settings, clockNanos(), out);
        program.start();
        new OrderInput(System.in, program).run();
    }

    /** The one place that chooses the clock of the history. */
    private static LongSupplier clockNanos() {
        return TrueTime::nanos;
    }
}
