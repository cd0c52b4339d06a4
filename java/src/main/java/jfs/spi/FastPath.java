package jfs.spi;

import java.io.IOException;

/**
 * One end of an established fast path: it carries the bytes of one connection beside that connection's TCP, which stays
 * open for its whole life. Both ends are held by proven peers; either may find the other gone or hostile at any time.
 *
 * <p><b>Threads.</b> Receiving methods are called by one thread at a time (it holds the socket's read lock), sending
 * methods likewise (write lock); the rest from any thread. After {@link #close} a transport keeps its memory until both
 * halves have been {@linkplain #retireReceiver retired}, and none of their methods is called afterwards.
 *
 * <p><b>Blocking.</b> Only the {@code await} methods block.
 *
 * <p><b>Errors.</b> A peer that breaks the protocol is a {@link java.net.SocketException} that names what was found; the
 * caller then closes the connection. Nothing a peer does may crash the JVM or hang a caller beyond its deadline.
 */
public interface FastPath {

    /** {@link #receive}: nothing more will come. */
    int END = -1;
    /** The same, and TCP is reset, or about to be. */
    int RESET = -2;

    /** {@link #awaitData}: TCP has something to say (bytes, EOF or an error). */
    int TCP_EVENT = 1;

    /** The transport's name in settings and counters: {@code sci}, {@code mx}. */
    String transport();

    // Receiving half.

    /** Tells the sender that from now on this end watches the fast path and TCP both. Latched (SWITCH-1). */
    void ready();

    /**
     * How many stream bytes the peer sent over TCP before it switched. Latched once seen (SWITCH-2).
     *
     * @return -1 while it has not switched
     */
    long switchedAt() throws IOException;

    /**
     * Takes what is there.
     *
     * @return bytes received ({@code > 0}), 0 if there are none now, {@link #END} after the last byte of a finished
     *         stream, {@link #RESET} after that of a reset one
     */
    int receive(byte[] into, int offset, int length) throws IOException;

    /**
     * As {@link #receive}, for a reader that would wait if there are none. May look for them for about two microseconds, where that is
     * likely to pay.
     */
    default int receiveSoon(byte[] into, int offset, int length) throws IOException {
        return receive(into, offset, length);
    }

    /** Bytes that {@link #receive} would give now. */
    int available() throws IOException;

    /**
     * Waits until there may be something new: for {@link #switchedAt} if the peer has not switched, for
     * {@link #receive} otherwise, or an event on TCP, a {@link #wake}, the deadline. May return early for no reason.
     *
     * @param deadline a {@link System#nanoTime}, or 0 for none
     * @return {@link #TCP_EVENT} or 0
     */
    int awaitData(TcpDescriptor tcp, long deadline) throws IOException;

    /**
     * For a reader whose deadline has passed: the look with which a wait would end, without the wait. Afterwards
     * {@link #switchedAt} and {@link #receive} have all that has come by now, whoever had a processor meanwhile.
     *
     * @return {@link #TCP_EVENT} or 0
     */
    int lookForData(TcpDescriptor tcp);

    /**
     * TCP has ended, in order or not, and {@link #receive} has nothing. Where bytes and the end of the stream come by another way than
     * TCP's, they may come after its end: then this waits for them while their peer may still be alive, for some seconds at most (END-5).
     *
     * @param deadline a {@link System#nanoTime}, or 0 for none
     * @return whether everything is there that will come; false if the deadline came first, or a {@link #wake}
     * @throws java.net.SocketException "Connection reset" if some of it won't
     */
    default boolean awaitEnd(long deadline) throws IOException {
        return true;
    }

    // Sending half.

    /** Whether the peer's receiver is {@linkplain #ready ready}. */
    boolean peerReady();

    /** From here on this direction's bytes come by {@link #send}; {@code count} of them went over TCP (SWITCH-2). Once. */
    void switchAt(long count);

    /**
     * Sends as much as fits. Bytes taken are published.
     *
     * @return bytes taken, 0 if there is no room
     */
    int send(byte[] from, int offset, int length) throws IOException;

    /**
     * Called when {@link #send} took nothing: waits for room for a moment, then takes bytes into whatever reserve the
     * transport has so that a writer blocks no earlier than over TCP (SWITCH-3), and only when that is full sleeps until
     * there may be room, an event on TCP, or a {@link #wake}.
     *
     * @return bytes taken, often 0
     */
    int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException;

    /**
     * Gives back memory that a connection does not need which sends as little as this one does. Called every few seconds
     * while it sends something, by the event loop's thread, under the write lock; takes system calls, does not wait.
     *
     * @param idle whether nothing was sent since the last call; then it is not called again before something is
     */
    void trim(boolean idle) throws IOException;

    /** Whether the peer's receiver wants urgent bytes in the stream (SO_OOBINLINE). */
    boolean peerTakesUrgent();

    /** Whether nobody will ever read what is sent: the peer has closed, or its process is gone (END-1). */
    boolean peerGone();

    /** Whether the peer has ended its stream by a reset: TCP is reset too, or about to be. */
    boolean peerReset();

    // Either.

    /**
     * Whether this end can't carry what the peer may send by the path, or has taken bytes that the peer won't get, and the path
     * can't tell it so: closing is then for TCP to tell, by a reset.
     */
    default boolean isBroken() {
        return false;
    }

    /**
     * Why nothing has gone by this, nor ever will, so that the connection stays on TCP after all.
     *
     * @param over whether the connection is being closed: then what a peer has not done by now it won't do
     * @return null if something has, or may
     */
    default String whyUnused(boolean over) {
        return null;
    }

    /** Whether this end wants urgent bytes in the stream (SO_OOBINLINE). */
    void takeUrgent(boolean inline);

    /** No more bytes will be sent: the peer receives what there is, then END ({@code reset}: RESET). The first one counts. */
    void finish(boolean reset);

    /**
     * After {@link #finish} and {@link #closeReceiver}: waits until the peer has all that was sent, or never will, or the
     * deadline. Beyond that it is delivered all the same. A path whose bytes are there when they are sent doesn't wait.
     *
     * @param deadline a {@link System#nanoTime}, not 0
     */
    default void awaitDelivered(long deadline) {
    }

    /** This end will never receive again. */
    void closeReceiver();

    /** Makes waiting threads of this end look at their socket's state again. */
    void wake();

    /** The receiving half will not be used any more. The last half out frees everything. Idempotent. */
    void retireReceiver();

    /** The sending half will not be used any more. The last half out frees everything. Idempotent. */
    void retireSender();
}
