package jfs.conformance.harness;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A listener that answers no connect any more, because its backlog is full. */
public final class FullListener implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    private final List<Socket> waiting = new ArrayList<>();

    public FullListener() throws IOException {
        int late = 0;
        while (late < 2) { // a single time-out may come from a busy machine
            if (waiting.size() == 10) {
                throw new AssertionError("still not full");
            }
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(address(), 80);
                late = 0;
            } catch (SocketTimeoutException e) {
                late++;
            }
        }
    }

    public SocketAddress address() {
        return listener.getLocalSocketAddress();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
        listener.close();
    }
}
