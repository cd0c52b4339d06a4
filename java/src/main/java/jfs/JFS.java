package jfs;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Objects;
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
     * @param socket is connected
     * @return the two streams. The caller makes them once for each socket
     * @throws IOException as {@link Socket#getInputStream} and {@link Socket#getOutputStream}
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
}
