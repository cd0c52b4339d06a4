package jfs.conformance.soak;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;

/** The accepting ends of all conversations with one process. */
final class Server {

    private static final int BACKLOG = 4_096;
    private static final int MAGIC = 0x50a4;
    /** Magic number, kind, the client's number, the conversation's number, seed. */
    private static final int HEADER_BYTES = 4 + 1 + 4 + 8 + 8;

    private final Book book;
    private final Threads threads;
    private final ServerSocket listener;
    /** Used by the accepting thread only. */
    private long accepted;

    Server(Book book, Threads threads) throws IOException {
        this.book = book;
        this.threads = threads;
        listener = new ServerSocket(0, BACKLOG);
        Thread accepting = new Thread(this::accept, "accepting");
        accepting.setDaemon(true);
        accepting.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The first bytes that a client sends. */
    static byte[] header(Kind kind, int client, long number, long seed) {
        return ByteBuffer.allocate(HEADER_BYTES).putInt(MAGIC).put((byte) kind.ordinal()).putInt(client).putLong(number)
                .putLong(seed).array();
    }

    /** The name of the conversation at both ends. */
    static String id(int client, long number) {
        return client + "." + number;
    }

    private void accept() {
        try {
            for (;;) {
                Socket socket = listener.accept();
                long number = accepted++;
                boolean virtual = Threads.areVirtualHere() && number % 2 == 0;
                threads.of(virtual).execute(() -> serve(socket, number, virtual));
            }
        } catch (Throwable e) {
            book.problem(new Book.Problem("", Book.Problem.NOBODY, "no more is accepted: " + e));
        }
    }

    private void serve(Socket socket, long place, boolean virtual) {
        String id = "accepted-" + place; // until the client has sent its number
        int client = Book.Problem.UNKNOWN;
        History history = book.begin(id, "server, accepted from port " + socket.getPort());
        try (socket) {
            byte[] header = new byte[HEADER_BYTES];
            new DataInputStream(socket.getInputStream()).readFully(header);
            ByteBuffer fields = ByteBuffer.wrap(header);
            if (fields.getInt() != MAGIC) {
                throw new AssertionError("wrong first bytes");
            }
            Kind kind = Kind.of(fields.get());
            client = fields.getInt();
            long number = fields.getLong();
            long seed = fields.getLong();
            book.rename(id, id(client, number), "server: " + kind + " seed " + seed + " from port " + socket.getPort()
                    + (virtual ? " virtual" : ""));
            id = id(client, number);
            kind.server(new End(socket, seed, false, virtual, threads.of(virtual), history, book));
        } catch (IOException e) {
            book.problem(new Book.Problem(id, client, "server: " + e));
        } catch (Throwable e) {
            book.problem(new Book.Problem(id, Book.Problem.NOBODY, "server: " + e));
        } finally {
            book.end(id);
        }
    }
}
