package io.raftlock.client;

import io.raftlock.protocol.RequestFrame;
import io.raftlock.protocol.ResponseFrame;

/** How to reach a node. All calls and events are on the client's loop. */
interface Transport {

    /** Starts to connect; what becomes of it is told later, never from within this call. */
    Connection connect(Address address, Listener listener);

    /** One connection, also while it is being made. */
    interface Connection {
        /** Hands over a frame; frames handed over in one go leave in one go. */
        void send(RequestFrame frame);

        /** Closes without a word to the listener. */
        void close();
    }

    /** What a connection tells its owner. */
    interface Listener {
        void connected();

        void received(ResponseFrame frame);

        /** The connection failed or ended; nothing follows. */
        void closed(String reason);
    }
}
