package workloads.network;

import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;

/**
 * Files that a server sends by {@link FileChannel#transferTo} to a client that reads them whole. An operation is named
 * {@code blocking-1m} or {@code selector-1m}: at both ends the channel is in blocking mode, or in non-blocking mode and registered with a
 * selector.
 *
 * <p>A request is a long: 0 is answered by 8 bytes, a larger one by the file of that size. The first request of a connection is one of the
 * two modes, and is not answered. The client then has a conversation with the server before it asks for the first file, so that a
 * connection that can have a fast path has it. Each long in a file is its own number.
 */
final class FileTransfers implements Subject {
    private static final Map<String, Integer> SIZES = Map.of("16k", 16 << 10, "1m", 1 << 20, "64m", 64 << 20);
    private static final long BLOCKING = -1;
    private static final long SELECTOR = -2;
    private static final long TALK = 0;
    /** More than it takes until a connection is offered a path (jfs.upgrade.after). */
    private static final int TALKS = 1_000;
    private static final int BUFFER = 64 << 10;

    private final Map<Long, FileChannel> files = new HashMap<>();
    private Path folder;

    /** One end of a connection, in either mode. Its selector is null in blocking mode. */
    private record End(SocketChannel channel, Selector selector) {
        static End of(SocketChannel channel, long mode) throws IOException {
            if (mode == BLOCKING) {
                return new End(channel, null);
            }
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new End(channel, selector);
        }

        /** Waits in the selector until the channel is ready for that operation. Does nothing in blocking mode. */
        private void await(int operation) throws IOException {
            if (selector != null) {
                channel.keyFor(selector).interestOps(operation);
                while (selector.select() == 0) {}
                selector.selectedKeys().clear();
            }
        }

        /** Reads some bytes. Returns -1 at the end of the stream, and never 0. */
        private int read(ByteBuffer to) throws IOException {
            int n = channel.read(to);
            while (n == 0) {
                await(SelectionKey.OP_READ);
                n = channel.read(to);
            }
            return n;
        }

        /** Fills the buffer and makes it ready to be read. Returns false at the end of the stream. */
        boolean receive(ByteBuffer message) throws IOException {
            message.clear();
            while (message.hasRemaining()) {
                if (read(message) < 0) {
                    return false;
                }
            }
            message.flip();
            return true;
        }

        void send(ByteBuffer message) throws IOException {
            while (message.hasRemaining()) {
                if (channel.write(message) == 0) {
                    await(SelectionKey.OP_WRITE);
                }
            }
        }

        void send(FileChannel file) throws IOException {
            long size = file.size();
            for (long sent = 0; sent < size; ) {
                long n = file.transferTo(sent, size - sent, channel);
                if (n == 0) {
                    await(SelectionKey.OP_WRITE);
                }
                sent += n;
            }
        }
    }

    @Override
    public void keepFilesIn(Path folder) {
        this.folder = folder;
    }

    @Override
    public int serve(int port) throws IOException {
        Files.createDirectories(folder);
        for (int size : SIZES.values()) {
            files.put((long) size, file(folder.resolve(size + " bytes"), size));
        }
        ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(HOST, port));
        Thread acceptor = new Thread(() -> accept(server), "acceptor");
        acceptor.setDaemon(true);
        acceptor.start();
        return server.socket().getLocalPort();
    }

    private static FileChannel file(Path path, int size) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(size);
        for (int at = 0; at < size; at += Long.BYTES) {
            bytes.putLong(at, at / Long.BYTES);
        }
        Files.write(path, bytes.array());
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    private void accept(ServerSocketChannel server) {
        try (server) {
            for (;;) {
                SocketChannel channel = server.accept();
                Thread thread = new Thread(() -> answer(channel), "server");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer request = ByteBuffer.allocateDirect(Long.BYTES);
            End end = new End(channel, null);
            if (!end.receive(request)) {
                return;
            }
            end = End.of(channel, request.getLong());
            while (end.receive(request)) {
                long asked = request.getLong(0);
                if (asked == TALK) {
                    end.send(request);
                } else {
                    end.send(files.get(asked));
                }
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public Operation operation(String name, int port) throws IOException {
        String[] modeAndSize = name.split("-");
        Integer size = SIZES.get(modeAndSize[modeAndSize.length - 1]);
        long mode = switch (modeAndSize[0]) {
            case "blocking" -> BLOCKING;
            case "selector" -> SELECTOR;
            default -> throw Subject.unknown(name);
        };
        if (modeAndSize.length != 2 || size == null) {
            throw Subject.unknown(name);
        }
        SocketChannel channel = SocketChannel.open(new InetSocketAddress(HOST, port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer request = ByteBuffer.allocateDirect(Long.BYTES);
        ask(new End(channel, null), mode, request);
        End end = End.of(channel, mode);
        for (int i = 0; i < TALKS; i++) {
            ask(end, TALK, request);
            Subject.expect(end.receive(request) && request.getLong() == TALK);
        }
        ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER);
        return () -> {
            ask(end, size, request);
            take(end, size, bytes);
        };
    }

    private static void ask(End end, long what, ByteBuffer request) throws IOException {
        end.send(request.clear().putLong(what).flip());
    }

    /** Reads a whole file. Checks the first and the last whole long of each read. */
    private static void take(End end, int size, ByteBuffer bytes) throws IOException {
        for (int taken = 0; taken < size; ) {
            bytes.clear().limit(Math.min(bytes.capacity(), size - taken));
            int n = end.read(bytes);
            if (n < 0) {
                throw new EOFException();
            }
            int first = -taken & Long.BYTES - 1;
            int last = n - (taken + n & Long.BYTES - 1) - Long.BYTES;
            if (first <= last) {
                Subject.expect(bytes.getLong(first) == (taken + first) / Long.BYTES && bytes.getLong(last) == (taken + last) / Long.BYTES);
            }
            taken += n;
        }
    }
}
