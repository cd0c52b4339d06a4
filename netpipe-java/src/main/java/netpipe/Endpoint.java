package netpipe;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Where connections come from: the transmitter dials them, the receiver accepts them. */
interface Endpoint extends Closeable {

    Socket open() throws IOException;

    /** Opens the next connection, after the last one was closed for a reset. */
    Socket reopen() throws IOException;

    /** The transmitter's end. */
    final class Dialer implements Endpoint {

        private static final long REOPEN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
        private static final long REOPEN_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final String host;
        private final int port;
        private final int bufferSize;

        Dialer(String host, int port, int bufferSize) {
            this.host = host;
            this.port = port;
            this.bufferSize = bufferSize;
        }

        @Override
        public Socket open() throws IOException {
            InetSocketAddress address = new InetSocketAddress(host, port);
            if (address.isUnresolved()) {
                throw new UnknownHostException("-h " + host + ": no such host");
            }
            Socket socket = new Socket();
            try {
                // Set before connecting, because the first segment settles the window scale.
                configure(socket, bufferSize);
                socket.connect(address);
                return socket;
            } catch (ConnectException e) {
                socket.close();
                throw (IOException) new ConnectException("cannot connect to " + host + " port " + port + ": "
                        + e.getMessage()).initCause(e);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        /**
         * NPtcp's receiver closes its listening socket just after the connection and opens a new one. A connect in
         * between is refused. A connect a moment earlier is worse: it gets a connection that dies with the old listening
         * socket. So this method pauses first, and tries again only when the connect was refused.
         */
        @Override
        public Socket reopen() throws IOException {
            long start = System.nanoTime();
            while (true) {
                LockSupport.parkNanos(REOPEN_PAUSE_NANOS);
                try {
                    return open();
                } catch (ConnectException e) {
                    if (System.nanoTime() - start > REOPEN_LIMIT_NANOS) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public void close() {
        }
    }

    /** The receiver's end. It goes on listening during all resets, so that no dialer finds the port closed. */
    final class Listener implements Endpoint {

        private static final int BACKLOG = 5;

        private final ServerSocket server;
        private final int bufferSize;

        /** @param address where to listen; port 0 stands for any free port */
        Listener(InetSocketAddress address, int bufferSize) throws IOException {
            this.bufferSize = bufferSize;
            server = new ServerSocket();
            try {
                if (bufferSize > 0) {
                    // Set before binding, because the first segment settles the window scale.
                    server.setReceiveBufferSize(bufferSize);
                }
                server.bind(address, BACKLOG);
            } catch (IOException e) {
                server.close();
                throw new IOException("cannot listen on port " + address.getPort() + ": " + e.getMessage(), e);
            }
        }

        int port() {
            return server.getLocalPort();
        }

        @Override
        public Socket open() throws IOException {
            Socket socket = server.accept();
            try {
                configure(socket, bufferSize);
                return socket;
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        @Override
        public Socket reopen() throws IOException {
            return open();
        }

        @Override
        public void close() throws IOException {
            server.close();
        }
    }

    private static void configure(Socket socket, int bufferSize) throws IOException {
        socket.setTcpNoDelay(true);
        if (bufferSize > 0) {
            socket.setSendBufferSize(bufferSize);
            socket.setReceiveBufferSize(bufferSize);
        }
    }

    /** The sizes of the socket buffers as the kernel gives them. */
    record BufferSizes(int send, int receive) {

        /** What a new socket gets when {@code bufferSize} is asked for; 0 asks for the system's own sizes. */
        static BufferSizes of(int bufferSize) throws IOException {
            // Linux doubles the size that is set, for its own overhead. The JDK hides that by halving the size that it reads.
            int factor = System.getProperty("os.name").equals("Linux") ? 2 : 1;
            try (Socket socket = new Socket()) {
                configure(socket, bufferSize);
                return new BufferSizes(factor * socket.getSendBufferSize(), factor * socket.getReceiveBufferSize());
            }
        }
    }
}
