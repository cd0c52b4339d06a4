package jfs.streams;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The sending half of a socket that is not JFS's. */
final class StreamSink extends Sink {

    private final Socket socket;
    private final OutputStream out;

    StreamSink(Socket socket) throws IOException {
        super(socket);
        this.socket = socket;
        this.out = socket.getOutputStream();
    }

    @Override
    void write(ByteBuffer staging, int bytes) throws IOException {
        out.write(staging.array(), 0, bytes);
    }

    @Override
    void write(byte[] from, int offset, int length) throws IOException {
        out.write(from, offset, length);
    }

    @Override
    void flush() throws IOException {
        out.flush();
    }

    @Override
    boolean isClosed() {
        return socket.isClosed();
    }
}
