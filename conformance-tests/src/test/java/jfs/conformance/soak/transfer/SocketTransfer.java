package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;

/** By the streams of a socket. */
public final class SocketTransfer implements Transfer {

    private final Socket socket;
    private final boolean virtual;

    /** @param virtual whether the threads that use it are virtual */
    public SocketTransfer(Socket socket, boolean virtual) {
        this.socket = socket;
        this.virtual = virtual;
    }

    @Override
    public int read(byte[] into, int most) throws IOException {
        return socket.getInputStream().read(into, 0, most);
    }

    @Override
    public void write(byte[] from) throws IOException {
        socket.getOutputStream().write(from);
    }

    @Override
    public void timeout(int millis) throws IOException {
        socket.setSoTimeout(millis);
    }

    @Override
    public void noDelay(boolean on) throws IOException {
        socket.setTcpNoDelay(on);
    }

    @Override
    public int localPort() {
        return socket.getLocalPort();
    }

    @Override
    public void shutdownOutput() throws IOException {
        socket.shutdownOutput();
    }

    @Override
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    @Override
    public boolean isClosed() {
        return socket.isClosed();
    }

    @Override
    public void interrupt(Thread user) {
        user.interrupt();
    }

    /** An interrupt changes nothing for a platform thread. */
    @Override
    public boolean isClosedByInterrupt() {
        return virtual;
    }

    @Override
    public boolean isInterruption(IOException e) {
        return e instanceof SocketException && "Closed by interrupt".equals(e.getMessage());
    }
}
