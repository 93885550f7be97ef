package io.raftlock.chaos.client;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Takes what the driver writes. Owned by the thread that reads. */
final class OrderInput implements Runnable {
    private final BufferedReader in;
    private final ClientProgram program;

    OrderInput(InputStream in, ClientProgram program) {
        this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        this.program = program;
    }

    /** Reads until there is no driver any more, which ends the process on the spot. */
    @Override
    public void run() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(line);
            }
        } catch (IOException gone) {
            System.err.println("the driver's orders: " + gone);
        }
        Runtime.getRuntime().halt(ClientMain.DRIVER_GONE);
    }

    private void take(String line) throws IOException {
        Optional<Order> order = Order.of(line);
        if (order.isPresent()) {
            program.obey(order.get());
        } else {
            program.answered(Lines.answer(line));
        }
    }
}
