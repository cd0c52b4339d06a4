package java.nio.channels.spi;

import java.io.IOException;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/** A TCP channel, as JFS sees it. What is named after TCP does what the JDK's own channel does, without JFS. */
public interface JfsTcp {

    /** The lock that the JDK's channel holds while it reads. */
    ReentrantLock tcpReadLock();

    /** The lock that the JDK's channel holds while it writes. */
    ReentrantLock tcpWriteLock();

    /** The number of the descriptor. Valid until {@link #tcpClose}. */
    int tcpDescriptor();

    /**
     * One system call, by the holder of the read lock. It blocks if the channel is in blocking mode and there are no bytes.
     *
     * @return the number of bytes, 0 if there are none now, -1 at the end
     */
    int tcpRead(ByteBuffer to) throws IOException;

    /** One system call, by the holder of the write lock. It blocks if the channel is in blocking mode and there is no room. */
    int tcpWrite(ByteBuffer from) throws IOException;

    /** @return the number of bytes: 0 or 1 */
    int tcpSendUrgent(byte data) throws IOException;

    int tcpAvailable() throws IOException;

    void tcpShutdownInput() throws IOException;

    void tcpShutdownOutput() throws IOException;

    <T> void tcpSetOption(SocketOption<T> name, T value) throws IOException;

    <T> T tcpGetOption(SocketOption<T> name) throws IOException;

    /** What the JDK does when the channel is closed. Called once. */
    void tcpClose() throws IOException;

    /** The channel's selectors look at its end again. Called by any thread. Does not block, and takes no lock of the channel. */
    void tellSelectors();
}
