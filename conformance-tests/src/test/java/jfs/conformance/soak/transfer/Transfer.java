package jfs.conformance.soak.transfer;

import java.io.Closeable;
import java.io.IOException;

/** How one end of a connection moves its bytes. At most one thread reads and one writes. Any thread may close it. */
public interface Transfer extends Closeable {

    /**
     * Reads at least one byte, at most so many.
     *
     * @return how many bytes, or -1 at the end of the stream
     * @throws java.net.SocketTimeoutException if nothing has come in the time that is set
     */
    int read(byte[] into, int most) throws IOException;

    /** Writes all these bytes. */
    void write(byte[] from) throws IOException;

    /** The time that a read waits. 0 is for ever. */
    void timeout(int millis) throws IOException;

    void noDelay(boolean on) throws IOException;

    int localPort() throws IOException;

    void shutdownOutput() throws IOException;

    /** Closes the connection so that the peer sees a reset. */
    void reset() throws IOException;

    boolean isClosed();

    /** Interrupts the thread that waits for this connection: the user's thread, or the thread of an event loop. */
    void interrupt(Thread user);

    /** Whether such an interrupt closes the connection, if the user's thread waits in it. */
    boolean isClosedByInterrupt();

    /** Whether this exception says that an interrupt has closed the connection. */
    boolean isInterruption(IOException e);
}
