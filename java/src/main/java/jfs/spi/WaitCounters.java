package jfs.spi;

/**
 * Counts the waits of one connection's path, for its row in the table of the process. A path calls the methods under the lock of the
 * direction: the read lock for its reader, the write lock for its writer. Each takes some nanoseconds. They neither block nor throw.
 */
public interface WaitCounters {

    /** Counts nothing: for a path that has not been attached yet. */
    WaitCounters NONE = new WaitCounters() {
        @Override
        public void sleeps(boolean reader) {
        }

        @Override
        public void waited(boolean reader, boolean found) {
        }

        @Override
        public void rang(boolean reader) {
        }
    };

    /**
     * The reader, or the writer, begins to sleep. {@link #waited} follows, with two exceptions: the sleep ends by an exception, or the
     * reader has slept before the peer has switched. Then its bytes come by TCP, and the sleep is not counted as one of the path.
     */
    void sleeps(boolean reader);

    /**
     * A wait has ended.
     *
     * @param reader whether the reader has waited; else the writer
     * @param found whether the wait ended while the thread polled; else it has slept
     */
    void waited(boolean reader, boolean found);

    /** The reader, or the writer, has woken a thread of the peer. */
    void rang(boolean reader);

    /**
     * Called once, when the path gets its counters: in each direction bytes wait in a ring, or more than one, until the peer reads them.
     *
     * @param bytes how large the first one is
     */
    default void hasRing(int bytes) {
    }
}
