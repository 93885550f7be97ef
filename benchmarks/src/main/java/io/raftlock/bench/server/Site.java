package io.raftlock.bench.server;

import java.io.IOException;
import java.util.List;

/** Where servers run. They are numbered from 1. */
public sealed interface Site permits Site.Loopback, CableSite {

    /** Returns the address that a server listens on, for clients and for the others. */
    String address(int number);

    /** Returns the beginning of the command line by which a server is started there. */
    List<String> entering(int number);

    /** Cuts the cable of a server. */
    void cut(int number) throws IOException, InterruptedException;

    /** Mends the cable of a server. */
    void mend(int number) throws IOException, InterruptedException;

    /** All on the loopback interface. */
    record Loopback() implements Site {
        @Override
        public String address(int number) {
            return "127.0.0.1";
        }

        @Override
        public List<String> entering(int number) {
            return List.of();
        }

        @Override
        public void cut(int number) {
            throw new UnsupportedOperationException("the loopback interface has no cables");
        }

        @Override
        public void mend(int number) {
            throw new UnsupportedOperationException("the loopback interface has no cables");
        }
    }
}
