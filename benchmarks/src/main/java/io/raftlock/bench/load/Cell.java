package io.raftlock.bench.load;

/**
 * One line of the table: so many callers, each of which acquires and releases a lock of its own
 * again and again.
 */
record Cell(Mode mode, int callers) {
    enum Mode {
        /** Each caller is a thread that blocks. */
        BLOCKING("blocking"),
        /** Each caller is a chain of futures: so many cycles are under way at once. */
        ASYNC("async");

        private final String label;

        Mode(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }
}
