package workloads.many;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import workloads.Program;

/**
 * Answers each request with the same bytes, with a thread for each connection or by a pool. A client first sends the length of its
 * requests, in four bytes. The server answers with its process id, in eight bytes.
 *
 * <p>A thread of the pool takes the connection that has waited longest, answers one request of it, and puts it back behind the others.
 * If no request comes within a millisecond, the thread puts the connection back too. Servers over blocking sockets do so if they
 * have more connections than threads and keep the connections open.
 *
 * <p>Arguments: address, port, and one of {@link Threads} (default: a platform thread for each connection).
 */
public final class ManyServer {
    private static final int BACKLOG = 1024;
    private static final int POOL_THREADS = 2 * Runtime.getRuntime().availableProcessors();
    private static final int PATIENCE_MILLIS = 1;

    private ManyServer() {}

    /** A connection whose client has sent the length of its requests. */
    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final byte[] request;
        private int received;

        Connection(Socket socket) throws IOException {
            this.socket = socket;
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            out = socket.getOutputStream();
            request = new byte[new DataInputStream(in).readInt()];
            new DataOutputStream(out).writeLong(ProcessHandle.current().pid());
        }

        /** Answers one request. Returns false at the end of the stream. After a timeout the part of the request that has come is kept. */
        boolean answer() throws IOException {
            while (received < request.length) {
                int n = in.read(request, received, request.length - received);
                if (n < 0) {
                    return false;
                }
                received += n;
            }
            received = 0;
            out.write(request);
            return true;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    public static void main(String[] args) throws IOException {
        Program.endWithParent();
        Threads threads = args.length < 3 ? Threads.PLATFORM : Threads.valueOf(args[2].toUpperCase(Locale.ROOT));
        try (ServerSocket server = new ServerSocket(Integer.parseInt(args[1]), BACKLOG, InetAddress.getByName(args[0]))) {
            Program.ready(server.getLocalPort());
            if (threads == Threads.POOL) {
                servePooled(server);
            }
            for (;;) {
                Socket socket = server.accept();
                threads.start("server of " + socket.getPort(), () -> serve(socket));
            }
        }
    }

    private static void serve(Socket socket) {
        try (Connection connection = new Connection(socket)) {
            while (connection.answer()) {}
        } catch (IOException e) {
            System.err.println("server: " + e);
        }
    }

    private static void servePooled(ServerSocket server) throws IOException {
        BlockingQueue<Connection> waiting = new LinkedBlockingQueue<>();
        for (int i = 1; i <= POOL_THREADS; i++) {
            Threads.POOL.start("server " + i, () -> takeTurns(waiting));
        }
        for (;;) {
            Connection connection = new Connection(server.accept());
            connection.socket.setSoTimeout(PATIENCE_MILLIS);
            waiting.add(connection);
        }
    }

    private static void takeTurns(BlockingQueue<Connection> waiting) {
        try {
            for (;;) {
                Connection connection = waiting.take();
                if (answers(connection)) {
                    waiting.add(connection);
                } else {
                    connection.close();
                }
            }
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean answers(Connection connection) {
        try {
            return connection.answer();
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            System.err.println("server: " + e);
            return false;
        }
    }
}
