package jfs.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the kernel's choice, for a server that can't be told to let it choose. It stays bound until it is closed,
 * so nobody else gets it; the server can still listen there, because Linux lets sockets with SO_REUSEADDR share a port
 * of which no more than one listens.
 */
final class ReservedPort implements AutoCloseable {

    private final Socket socket = new Socket();

    ReservedPort() throws IOException {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    }

    int number() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
