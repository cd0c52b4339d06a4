package jfs.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * One end of an established fast path. The path carries the bytes of one connection. The connection's TCP stays open beside it for the
 * whole life of the connection. Both processes have proved that they hold an end. Each process may find at any time that the other one is
 * gone or hostile.
 *
 * <p><b>Threads.</b> One thread at a time calls the receiving methods; it holds the socket's read lock. One thread at a time calls the
 * sending methods; it holds the write lock. Any thread calls the other methods. When the socket is closed, the transport keeps its memory
 * until both halves have been {@linkplain #retireReceiver retired}. None of their methods is called afterwards.
 *
 * <p><b>Blocking.</b> Only methods with {@code await} in their names block. A caller that must not block, such as an event loop, receives
 * and sends by the methods with a buffer. When these find nothing, the caller {@linkplain #armReceiver arms} the path, which then tells it
 * of news.
 *
 * <p><b>Errors.</b> If the peer breaks the protocol, a {@link java.net.SocketException} names what was found. The caller then
 * closes the connection. Nothing that a peer does may crash the JVM or hang a caller beyond its deadline.
 */
public interface FastPath {

    /** {@link #receive}: nothing more will come. */
    int END = -1;
    /** {@link #receive}: nothing more will come, and TCP is reset, or about to be. */
    int RESET = -2;

    /** The most bytes that the methods for buffers copy at once where a path has only the methods for arrays. */
    int COPIED_AT_ONCE = 8 << 10;
    /** How often the caller of a path looks that can't tell it of news. */
    long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** {@link #awaitData}: there is an event on TCP (bytes, EOF or an error). */
    int TCP_EVENT = 1;

    /** The name of the transport's provider ({@link TransportProvider#name}), for the log. */
    String transport();

    /** Called once, before the first use: from now on the path counts its waits there. A path may leave it. */
    default void countWaitsIn(WaitCounters counters) {
    }

    /** What matters most for this connection. Any thread, at any time; it holds from one of the next calls on. A path may leave it. */
    default void prefer(Preferences preferences) {
    }

    // Receiving half.

    /** Tells the peer's sender that this end watches both the fast path and TCP from now on. Latched (SWITCH-1). */
    void ready();

    /**
     * How many stream bytes the peer sent over TCP before it switched. Latched once seen (SWITCH-2).
     *
     * @return -1 while it has not switched
     */
    long switchedAt() throws IOException;

    /**
     * Takes the bytes that are there.
     *
     * @return bytes received ({@code > 0}), 0 if there are none now, {@link #END} after the last byte of a finished
     *         stream, {@link #RESET} after that of a reset one
     */
    int receive(byte[] into, int offset, int length) throws IOException;

    /**
     * As {@link #receive}, for a reader that would wait if there are no bytes. The path may look for bytes for about two microseconds,
     * where that is likely to pay.
     */
    default int receiveSoon(byte[] into, int offset, int length) throws IOException {
        return receive(into, offset, length);
    }

    /**
     * As {@link #receive(byte[], int, int)}, into the buffer's remaining bytes. Moves the buffer's position behind the bytes received. The
     * buffer may be on the heap or direct, and is not read-only.
     */
    default int receive(ByteBuffer into) throws IOException {
        boolean onHeap = into.hasArray();
        byte[] array = onHeap ? into.array() : new byte[Math.min(into.remaining(), Math.max(1, Math.min(available(), COPIED_AT_ONCE)))];
        int n = onHeap ? receive(array, into.arrayOffset() + into.position(), into.remaining()) : receive(array, 0, array.length);
        if (n > 0 && onHeap) {
            into.position(into.position() + n);
        } else if (n > 0) {
            into.put(array, 0, n);
        }
        return n;
    }

    /**
     * As {@link #receive(byte[], int, int)}, but may leave the bytes where they are: then it shows them by {@code into}, and only {@link
     * #release} takes them. A path whose memory can't be shown takes them into the array.
     *
     * @param into is clear before the call, and afterwards if the bytes are in the array
     */
    default int peek(Claim into, byte[] orElse, int offset, int length) throws IOException {
        return receive(orElse, offset, length);
    }

    /**
     * Takes the first bytes of what {@link #peek} has shown. No other receiving method is called in between.
     *
     * @param bytes 0 to the length that was shown. Bytes that are not taken come again
     */
    default void release(int bytes) throws IOException {
        throw new IllegalStateException("nothing was shown");
    }

    /** The number of bytes that {@link #receive} would return now. */
    int available() throws IOException;

    /** Whether {@link #receive} would now return bytes, {@link #END} or {@link #RESET}, or would throw. */
    boolean readable() throws IOException;

    /**
     * Waits until there may be news: for {@link #switchedAt} if the peer has not switched, else for {@link #receive}. The wait
     * also ends at an event on TCP, at a {@link #wake} and at the deadline. The wake-up may be spurious.
     *
     * @param deadline a {@link System#nanoTime}, or 0 for none
     * @return {@link #TCP_EVENT} or 0
     */
    int awaitData(TcpDescriptor tcp, long deadline) throws IOException;

    /**
     * For a reader whose deadline has passed, or which does not wait: the look with which a wait ends, without the wait. Afterwards {@link
     * #switchedAt} and {@link #receive} have all that has come by now, even if this thread has had no processor for a long time.
     *
     * @return {@link #TCP_EVENT} or 0
     */
    int lookForData(TcpDescriptor tcp) throws IOException;

    /**
     * Waits for what {@link #awaitData} waits for, without a thread: when there may be news, {@code callback} is run once, and the path is
     * not armed any more. A thread that begins to sleep in {@link #awaitData} ends the arming in this way too, because the two share the
     * word by which the peer learns whom it has to wake. The caller then looks at everything again; there may be no news. A call while the
     * path is armed replaces the callback.
     *
     * @param callback is run by any thread, also by one inside {@link #wake} or in this call, maybe under the lock of the direction. It
     *                 only hands the news over: it must not block or throw, must call nothing of this connection, and must take no lock
     *                 under which this connection is called. The path keeps it reachable while it is armed
     * @param words    null, or the words of memory at which the caller is going to sleep. A path that can be waited for at a word adds its
     *                 word, and what comes by the path wakes the caller there; the callback is still run for all other causes. The
     *                 announcement at the word stays until the caller {@linkplain #retractReceiver takes it back}. Another path adds nothing
     * @return the nanoseconds after which the caller has to look again, even if it is told of nothing: {@link Long#MAX_VALUE} for never; 0
     *         if there is news already, and then the path is not armed. The callback may have been run all the same
     */
    default long armReceiver(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        return readable() || tcp.hasEvent() ? 0 : LOOK_AGAIN_NANOS;
    }

    /** The caller does not sleep at the receiver's word any more. Called under the lock of the direction. */
    default void retractReceiver() {
    }

    /** Ends the arming of the receiver, if there is one. The callback may still run. Any thread, at any time, also after the end. */
    default void disarmReceiver() {
    }

    /**
     * Called when TCP has ended, in order or not, and {@link #receive} has nothing. On some paths the bytes and the end of the stream do
     * not go the same way as TCP, and may come after TCP's end. There this method waits for them while the peer may still be alive, for
     * some seconds at most (END-5).
     *
     * @param deadline a {@link System#nanoTime}, or 0 for none. With one that has passed the method does not wait, and looks all the same
     * @return true if everything is there that will come; false if the deadline or a {@link #wake} came first
     * @throws java.net.SocketException "Connection reset" if a part of the stream will not come
     */
    default boolean awaitEnd(long deadline) throws IOException {
        return true;
    }

    // Sending half.

    /** Whether the peer's receiver is {@linkplain #ready ready}. */
    boolean peerReady();

    /** From now on this direction's bytes come by {@link #send}; {@code count} bytes went over TCP before (SWITCH-2). Called once. */
    void switchAt(long count);

    /**
     * Sends as much as fits. Bytes taken are published.
     *
     * @return bytes taken, 0 if there is no room
     */
    int send(byte[] from, int offset, int length) throws IOException;

    /**
     * Sends as much as fits of the buffer's remaining bytes, and takes bytes into the reserve of {@link #sendOrAwaitRoom} when there is no
     * other room. Does not wait. If it takes nothing, it has looked for the peer's end and death too, so that {@link #peerGone} has what is
     * known. The default calls {@link #send} only: a path that has a reserve, or that learns of the peer's death only while a writer waits,
     * overrides it. Moves the buffer's position behind the bytes taken. The buffer may be on the heap or direct.
     *
     * @param from has at least one byte
     * @return bytes taken, 0 if there is no room
     */
    default int trySend(TcpDescriptor tcp, ByteBuffer from) throws IOException {
        boolean onHeap = from.hasArray();
        int most = onHeap ? from.remaining() : Math.min(from.remaining(), COPIED_AT_ONCE);
        byte[] array = onHeap ? from.array() : new byte[most];
        if (!onHeap) {
            from.get(from.position(), array);
        }
        int n = send(array, onHeap ? from.arrayOffset() + from.position() : 0, most);
        from.position(from.position() + n);
        return n;
    }

    /**
     * Gives the caller a piece of this path's memory for the next bytes, which {@link #commit} then sends. May wait for room for a moment.
     * A path whose memory can't be shown gives none.
     *
     * @param into is filled in if there is a piece
     * @param least the fewest bytes that the caller has a use for, above 0
     * @param most the most bytes that the caller has a use for
     * @return false if there is no such piece now. The caller then sends by the other methods
     */
    default boolean claim(Claim into, int least, int most) throws IOException {
        return false;
    }

    /**
     * Sends the first bytes of the piece that {@link #claim} has given. No other sending method is called in between. Without this call
     * nothing of the piece is sent, and the next call of any sending method takes its place.
     *
     * @param bytes 1 to the length of the piece
     * @param more whether the caller sends more at once. Then the path may leave it to the caller's next calls to wake a peer that sleeps:
     *            to the commit without more, another sending method, or a {@link #claim} that finds no piece
     */
    default void commit(int bytes, boolean more) throws IOException {
        throw new IllegalStateException("nothing was claimed");
    }

    /** Whether {@link #trySend} would now take a byte, or would throw. */
    boolean writable() throws IOException;

    /**
     * As {@link #armReceiver}, for news of room and of the peer's end. A thread that sleeps in {@link #sendOrAwaitRoom} ends the arming.
     */
    default long armSender(TcpDescriptor tcp, Runnable callback, FutexWords words) throws IOException {
        return writable() || peerGone() ? 0 : LOOK_AGAIN_NANOS;
    }

    /** The caller does not sleep at the sender's word any more. Called under the lock of the direction. */
    default void retractSender() {
    }

    /** As {@link #disarmReceiver}, of the sender. */
    default void disarmSender() {
    }

    /**
     * Called when {@link #send} took nothing. Waits for room for a moment. Then takes bytes into the reserve that the transport
     * may have, so that a writer blocks no earlier than over TCP (SWITCH-3). Only when the reserve is full does the thread sleep,
     * until there may be room, an event on TCP, or a {@link #wake}.
     *
     * @return bytes taken, often 0
     */
    int sendOrAwaitRoom(TcpDescriptor tcp, byte[] from, int offset, int length) throws IOException;

    /**
     * Gives back memory that the connection does not need for as little as it sends. JFS's own thread, the negotiation's, calls this every
     * few seconds while the connection sends something, under the write lock. Makes system calls, but does not wait. A path without memory
     * of its own does nothing.
     *
     * @param idle whether nothing was sent since the last call; then this is not called again before something is sent
     */
    default void trim(boolean idle) throws IOException {
    }

    /** Whether the peer's receiver wants urgent bytes in the stream (SO_OOBINLINE). */
    boolean peerTakesUrgent();

    /** Whether the peer will never read what is sent: it has closed its end, or its process is gone (END-1). */
    boolean peerGone();

    /**
     * Whether the peer process, or the way to it, has gone without a word: neither its stream nor its receiver has ended. For reports only.
     * A path that can't know that returns false.
     */
    default boolean peerDied() {
        return false;
    }

    /**
     * The connection has found that the peer process has died. A path that keeps memory for its peer frees it when this end is closed, and
     * does not wait for the peer to leave. Called under the lock of one of the directions, maybe twice.
     */
    default void peerHasDied() {
    }

    /**
     * This end is about to close its TCP socket, and has not shut TCP's output down for the close. A path that can learn something from
     * TCP's state looks at it now. Called once, after {@link #finish}. Does not block.
     */
    default void tcpCloses(TcpDescriptor tcp) {
    }

    /** Whether the peer has ended its stream by a reset: TCP is reset too, or about to be. */
    boolean peerReset();

    // Of both halves.

    /**
     * Whether the path has failed and can't tell that to the peer. Either this end can't receive what the peer may send by the path, or
     * this end has taken bytes from its program that the peer will not get. When the socket is closed, TCP then tells the peer, by a reset.
     */
    default boolean isBroken() {
        return false;
    }

    /**
     * Tells why no bytes have gone by this path and none ever will. The connection then stays on TCP. A path that can't fail between its
     * set-up and its first byte has no such reason.
     *
     * @param over whether the connection is being closed: then the peer will not do what it has not done by now
     * @return null if bytes have gone by this path, or still may
     */
    default String whyUnused(boolean over) {
        return null;
    }

    /** Whether this end wants urgent bytes in the stream (SO_OOBINLINE). */
    void takeUrgent(boolean inline);

    /** No more bytes will be sent. The peer receives what was sent, then END ({@code reset}: RESET). Only the first call counts. */
    void finish(boolean reset);

    /**
     * Called after {@link #finish} and {@link #closeReceiver}. Waits until the peer has all that was sent or will never have it,
     * or until the deadline. What the peer does not have then is still delivered afterwards. A path whose bytes are with the peer
     * as soon as they are sent does not wait.
     *
     * @param deadline a {@link System#nanoTime}, not 0
     */
    default void awaitDelivered(long deadline) {
    }

    /** This end will never receive again. */
    void closeReceiver();

    /** Makes waiting threads of this end look at their socket's state again. */
    void wake();

    /**
     * The receiving half will not be used any more. A claim that was shown is cleared. The half that is retired last frees everything.
     * Idempotent.
     */
    void retireReceiver();

    /** As {@link #retireReceiver}, of the sending half. */
    void retireSender();
}
