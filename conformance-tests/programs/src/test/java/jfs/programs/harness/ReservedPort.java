package jfs.programs.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that the kernel has chosen, for a server that can't leave the choice to the kernel. The port stays bound until
 * {@link #close}, so no other program gets it. The server can still listen there: on Linux sockets with SO_REUSEADDR
 * can share a port if at most one of them listens.
 */
public final class ReservedPort implements AutoCloseable {

    private final Socket socket = new Socket();

    public ReservedPort() throws IOException {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
    }

    public int number() {
        return socket.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
