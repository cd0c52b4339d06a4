package jfs.streams;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import jfs.connection.Connection;
import jfs.connection.ConnectionOption;

/**
 * The two typed streams of a socket or a channel. As with {@link java.io.ObjectOutputStream}, the caller makes them once and keeps them: a
 * second pair would write a second mark, and would not have the bytes that the first one has taken.
 */
public final class TypedStreams {

    private final TypedInput input;
    private final TypedOutput output;

    private TypedStreams(Source source, Sink sink, ByteOrder order) {
        this.input = new TypedInput(source, order);
        this.output = new TypedOutput(sink, order);
    }

    /**
     * Of a socket with streams of its own, these are used: nothing may go past them.
     *
     * @param order null: each stream begins with a mark that tells its order
     */
    public static TypedStreams of(Socket socket, ByteOrder order) throws IOException {
        boolean receives = !socket.isInputShutdown();
        boolean sends = !socket.isOutputShutdown();
        if (!receives && !sends) {
            socket.getInputStream(); // throws
        }
        Connection connection = ConnectionOption.areFor(socket) ? connection(socket, receives, sends) : null;
        Source source = connection != null && receives ? new ConnectionSource(socket, connection.reader()) : new StreamSource(socket);
        Sink sink = connection != null && sends ? new ConnectionSink(socket, connection.writer()) : new StreamSink(socket);
        return new TypedStreams(source, sink, order);
    }

    /** @param order as above */
    public static TypedStreams of(SocketChannel channel, ByteOrder order) {
        Objects.requireNonNull(channel, "channel");
        return new TypedStreams(new ChannelSource(channel), new ChannelSink(channel), order);
    }

    /** @return null of a socket that is not JFS's */
    private static Connection connection(Socket socket, boolean receives, boolean sends) throws IOException {
        if (receives) { // each of the two throws as java.net does if the socket is closed or not connected
            socket.getInputStream();
        }
        if (sends) {
            socket.getOutputStream();
        }
        try {
            return socket.getOption(ConnectionOption.OF_JFS);
        } catch (UnsupportedOperationException e) {
            return null;
        }
    }

    /** The stream that reads: always the same one. */
    public TypedInput input() {
        return input;
    }

    /** The stream that writes: always the same one. */
    public TypedOutput output() {
        return output;
    }
}
