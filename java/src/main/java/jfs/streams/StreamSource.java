package jfs.streams;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The receiving half of a socket that is not JFS's, or that has its input shut down. */
final class StreamSource extends Source {

    private final Socket socket;
    /** Null of a direction that was shut down before this was made. */
    private final InputStream in;

    StreamSource(Socket socket) throws IOException {
        super(socket);
        this.socket = socket;
        this.in = socket.isInputShutdown() ? null : socket.getInputStream();
    }

    /** @throws IOException as {@link Socket#getInputStream}, if this direction was shut down before this was made */
    private InputStream in() throws IOException {
        return in == null ? socket.getInputStream() : in;
    }

    @Override
    int take(ByteBuffer staging, int offset, int length) throws IOException {
        return in().read(staging.array(), offset, length);
    }

    @Override
    int read(byte[] into, int offset, int length) throws IOException {
        return in().read(into, offset, length);
    }

    @Override
    int available() throws IOException {
        return in().available();
    }

    @Override
    boolean isClosed() {
        return socket.isClosed();
    }
}
