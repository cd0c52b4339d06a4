package jfs.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The sending half of a socket that is not JFS's, or that has its output shut down. */
final class StreamSink extends Sink {

    private final Socket socket;
    /** Null of a direction that was shut down before this was made. */
    private final OutputStream out;

    StreamSink(Socket socket) throws IOException {
        super(socket);
        this.socket = socket;
        this.out = socket.isOutputShutdown() ? null : socket.getOutputStream();
    }

    /** @throws IOException as {@link Socket#getOutputStream}, if this direction was shut down before this was made */
    private OutputStream out() throws IOException {
        return out == null ? socket.getOutputStream() : out;
    }

    @Override
    void write(ByteBuffer staging, int bytes) throws IOException {
        out().write(staging.array(), 0, bytes);
    }

    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        out().write(from, offset, length);
    }

    @Override
    void flush() throws IOException {
        if (out != null) {
            out.flush();
        }
    }

    @Override
    boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    void checkOpen() throws IOException {
        super.checkOpen();
        out();
    }
}
