package workloads.arrays;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A connection on which messages go there and back. Before some messages of one size the client announces them: 12 bytes, which go
 * directly through the socket. No stream has read them ahead, because until the announcement comes nothing is under way.
 */
final class Line implements Closeable {
    private final Socket socket;
    private final SocketChannel channel;
    private final Transfer transfer;
    private final ByteBuffer announced = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);

    /** @param serves whether this is the server's end */
    Line(Socket socket, Manner manner, boolean serves) throws IOException {
        this.socket = socket;
        this.channel = null;
        socket.setTcpNoDelay(true);
        this.transfer = manner.over(socket, serves);
    }

    Line(SocketChannel channel, Manner manner) throws IOException {
        this.socket = null;
        this.channel = channel;
        channel.socket().setTcpNoDelay(true);
        this.transfer = manner.over(channel);
    }

    Transfer transfer() {
        return transfer;
    }

    /** Tells the peer that so many messages of that many bytes come. */
    void announce(int bytes, long times) throws IOException {
        announced.clear().putInt(bytes).putLong(times).flip();
        if (channel == null) {
            socket.getOutputStream().write(announced.array());
            return;
        }
        while (announced.hasRemaining()) {
            channel.write(announced);
        }
    }

    /** Sends each message back, until the client closes the connection. @param type of the elements */
    void echo(ElementType type) throws IOException {
        Elements message = type.ofBytes(0);
        while (readAnnouncement()) {
            int bytes = announced.getInt(0);
            if (message.bytes() != bytes) {
                message = type.ofBytes(bytes);
            }
            for (long left = announced.getLong(Integer.BYTES); left > 0; left--) {
                transfer.receive(message);
                transfer.send(message);
            }
        }
    }

    /** @return false at the end of the stream */
    private boolean readAnnouncement() throws IOException {
        announced.clear();
        while (announced.hasRemaining()) {
            int n = channel != null ? channel.read(announced)
                    : socket.getInputStream().read(announced.array(), announced.position(), announced.remaining());
            if (n < 0) {
                return false;
            }
            if (channel == null) {
                announced.position(announced.position() + n);
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        if (channel == null) {
            socket.close();
        } else {
            channel.close();
        }
    }
}
