package jfs;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import jfs.connection.ConnectionOption;
import jfs.spi.Preferences;
import jfs.streams.TypedStreams;

/**
 * What a program that knows JFS can ask of its sockets, beyond {@code java.net} and {@code java.nio}. All methods also work with sockets
 * and channels that are not JFS's, and over TCP.
 */
public final class JFS {

    private JFS() {
    }

    /**
     * Streams that write and read arrays of primitive types. Each direction tells the peer its byte order, so both ends have to use such
     * streams; a conversion is made only where the machines differ.
     *
     * @param socket is connected. One direction may be shut down: its stream throws at each use, as {@link Socket#getInputStream} or {@link
     * Socket#getOutputStream} does
     * @return the two streams. The caller makes them once for each socket
     * @throws IOException as those two methods if the socket is closed or not connected, or if both directions are shut down
     */
    public static TypedStreams streams(Socket socket) throws IOException {
        return TypedStreams.of(socket, null);
    }

    /**
     * As {@link #streams(Socket)}, with elements in that order and nothing else in the stream. With {@link ByteOrder#BIG_ENDIAN} the peer
     * may use {@link java.io.DataInput} and {@link java.io.DataOutput}.
     */
    public static TypedStreams streams(Socket socket, ByteOrder order) throws IOException {
        return TypedStreams.of(socket, Objects.requireNonNull(order, "order"));
    }

    /**
     * As {@link #streams(Socket)}, of a channel.
     *
     * @param channel is in blocking mode whenever one of the streams is used
     */
    public static TypedStreams streams(SocketChannel channel) {
        return TypedStreams.of(channel, null);
    }

    /** As {@link #streams(Socket, ByteOrder)}, of a channel. */
    public static TypedStreams streams(SocketChannel channel, ByteOrder order) {
        return TypedStreams.of(channel, Objects.requireNonNull(order, "order"));
    }

    /**
     * States what matters most for one connection. {@link Socket#setPerformancePreferences} has the same purpose, but {@code java.net}
     * never tells it to an implementation of sockets. As there, only the comparison of the numbers counts: the larger one matters more.
     * Numbers may be negative. Where two are equal JFS does what it does for all connections.
     *
     * <ul>
     * <li>{@code latency > cpu}: a thread that waits polls four times as long as {@code jfs.poll.micros} says before it sleeps, but not
     * longer than 1 ms for that. So it finds answers by polls that come after up to 0.3 ms.
     * <li>{@code cpu > latency}: a thread of this end polls only where that costs less processor time than to sleep and to be woken: over
     * shared memory, for 3 microseconds. A reader whose peer sends several small messages in a row also lets them gather: it naps for about
     * 0.1 ms at a time, and the writer does not have to wake it.
     * <li>{@code bandwidth > latency}: long writes go by shared memory in pieces of 32 KB, where they go in pieces of 8 KB otherwise
     * ({@code jfs.sci.long.min}). The reader has the first byte of a long write later, and the last one earlier.
     * </ul>
     *
     * <p>Preferences hold for this end, from one of the next waits on, whether the socket is connected already or not, and whether the
     * connection goes by TCP, shared memory or MX. A later call replaces an earlier one. With {@code jfs.poll.micros=0} no thread polls,
     * whatever is preferred. Any thread may call this. The call may wait for a close with SO_LINGER.
     *
     * <p>A socket with streams of its own, as each socket of TLS, has no preferences: state them for the plain socket, and make the socket
     * of TLS over it.
     *
     * @param latency the importance of an early answer
     * @param bandwidth the importance of many bytes a second
     * @param cpu the importance of little processor time
     * @return whether the socket is one of JFS's, without streams of its own. Otherwise the call does nothing
     * @throws IOException if the socket is one of JFS's and closed
     */
    public static boolean setPreferences(Socket socket, int latency, int bandwidth, int cpu) throws IOException {
        if (!ConnectionOption.areFor(socket)) {
            return false;
        }
        try {
            socket.setOption(ConnectionOption.PREFERENCES, new Preferences(latency, bandwidth, cpu));
            return true;
        } catch (UnsupportedOperationException e) {
            return false;
        }
    }
}
