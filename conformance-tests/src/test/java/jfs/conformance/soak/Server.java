package jfs.conformance.soak;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import jfs.conformance.harness.EndKind;
import jfs.conformance.soak.transfer.ChannelTransfer;
import jfs.conformance.soak.transfer.EventLoops;
import jfs.conformance.soak.transfer.SocketTransfer;
import jfs.conformance.soak.transfer.Transfer;

/** The accepting ends of all conversations with one process. */
final class Server {

    private static final int BACKLOG = 4_096;
    private static final int MAGIC = 0x50a4;
    /** Magic number, kind, the client's number, the conversation's number, seed. */
    private static final int HEADER_BYTES = 4 + 1 + 4 + 8 + 8;

    private final Book book;
    private final Threads threads;
    private final ServerSocket listener;
    /** Null in a process without channels. */
    private final ServerSocketChannel channels;
    private final EventLoops loops;
    private final AtomicLong accepted = new AtomicLong();

    /** @param loops null if all ends are sockets */
    Server(Book book, Threads threads, EventLoops loops) throws IOException {
        this.book = book;
        this.threads = threads;
        this.loops = loops;
        listener = new ServerSocket(0, BACKLOG);
        channels = loops == null ? null : ServerSocketChannel.open().bind(new InetSocketAddress(0), BACKLOG);
        if (channels != null) {
            loops.accept(channels, this::serve);
        }
        Thread accepting = new Thread(this::accept, "accepting");
        accepting.setDaemon(true);
        accepting.start();
    }

    int port() {
        return listener.getLocalPort();
    }

    /** The port of the listener whose accepted ends are channels; 0 for none. */
    int channelPort() {
        return channels == null ? 0 : channels.socket().getLocalPort();
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
                serve(listener.accept());
            }
        } catch (Throwable e) {
            book.problem(new Book.Problem("", Book.Problem.NOBODY, "no more is accepted: " + e));
        }
    }

    private void serve(Socket socket) {
        long place = accepted.getAndIncrement();
        boolean virtual = Threads.areVirtualHere() && place % 2 == 0;
        threads.of(virtual).execute(() ->
                serve(socket.getPort(), place, virtual, EndKind.SOCKET, () -> new SocketTransfer(socket, virtual)));
    }

    /** About every other channel is served by an event loop, the others by threads of their own. */
    private void serve(SocketChannel channel) {
        long place = accepted.getAndIncrement();
        boolean virtual = Threads.areVirtualHere() && place % 2 == 0;
        Random random = new Random(place);
        boolean bySelector = random.nextBoolean();
        threads.of(virtual).execute(() -> serve(channel.socket().getPort(), place, virtual, bySelector ? EndKind.SELECTOR : EndKind.CHANNEL,
                () -> bySelector ? loops.transfer(channel, random) : new ChannelTransfer(channel, random)));
    }

    /** Makes the transfer of an accepted connection. */
    private interface Accepted {
        Transfer transfer() throws IOException;
    }

    private void serve(int port, long place, boolean virtual, EndKind end, Accepted it) {
        String id = "accepted-" + place; // until the client has sent its number
        int client = Book.Problem.UNKNOWN;
        String title = " from port " + port + " at a " + end + (virtual ? " virtual" : "");
        History history = book.begin(id, "server, accepted" + title);
        try (Transfer transfer = it.transfer()) {
            ByteBuffer fields = ByteBuffer.wrap(header(transfer));
            if (fields.getInt() != MAGIC) {
                throw new AssertionError("wrong first bytes");
            }
            Kind kind = Kind.of(fields.get());
            client = fields.getInt();
            long number = fields.getLong();
            long seed = fields.getLong();
            book.rename(id, id(client, number), "server: " + kind + " seed " + seed + title);
            id = id(client, number);
            kind.server(new End(transfer, seed, false, threads.of(virtual), history, book));
        } catch (IOException e) {
            book.problem(new Book.Problem(id, client, "server: " + e));
        } catch (Throwable e) {
            book.problem(new Book.Problem(id, Book.Problem.NOBODY, "server: " + e));
        } finally {
            book.end(id);
        }
    }

    private static byte[] header(Transfer transfer) throws IOException {
        byte[] header = new byte[HEADER_BYTES];
        byte[] part = new byte[HEADER_BYTES];
        for (int at = 0; at < HEADER_BYTES;) {
            int n = transfer.read(part, HEADER_BYTES - at);
            if (n < 0) {
                throw new EOFException("in the header");
            }
            System.arraycopy(part, 0, header, at, n);
            at += n;
        }
        return header;
    }
}
