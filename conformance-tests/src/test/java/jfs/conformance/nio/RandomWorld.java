package jfs.conformance.nio;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Random;
import java.util.TreeSet;
import jfs.testing.Await;

/** Connections of one provider, half of whose ends are registered with a selector. Operations change them. */
final class RandomWorld implements AutoCloseable {

    private static final int CONNECTIONS = 6;
    /** Less than the kernel always has room for, so that how much it takes does not depend on time. */
    private static final int BYTES_MAX = 4_000;
    private static final int UNREAD_MAX = 30_000;

    private enum Kind {
        WRITE, GATHER, READ, SCATTER, INTEREST, CANCEL, REGISTER, SHUT, SHUT_PEER, SHUT_INPUT, CLOSE, CLOSE_PEER, RESET_PEER, REOPEN,
        WAKEUP, SELECTOR
    }

    /** @param amount bytes, or an interest set, or anything else that the kind wants */
    record Operation(Kind kind, int connection, int amount, boolean consumes) {
    }

    static Operation next(Random random) {
        int sort = random.nextInt(100); // most operations leave their connection open
        Kind kind = sort < 70 ? Kind.values()[random.nextInt(Kind.SHUT.ordinal())] : Kind.values()[random.nextInt(Kind.values().length)];
        return new Operation(kind, random.nextInt(CONNECTIONS), 1 + random.nextInt(BYTES_MAX), random.nextBoolean());
    }

    private final SelectorProvider provider;
    private final Beginning beginning;
    private final ServerSocketChannel[] servers = new ServerSocketChannel[CONNECTIONS];
    private final SocketChannel[] channels = new SocketChannel[CONNECTIONS];
    private final SocketChannel[] peers = new SocketChannel[CONNECTIONS];
    private final int[] unread = new int[CONNECTIONS];
    private Selector selector;
    private long transferred;

    RandomWorld(SelectorProvider provider, Beginning beginning) throws Exception {
        this.provider = provider;
        this.beginning = beginning;
        selector = provider.openSelector();
        for (int i = 0; i < CONNECTIONS; i++) {
            open(i);
        }
    }

    /** Every other connection is registered at its accepted end. */
    private void open(int i) throws Exception {
        Connected it = beginning.connect(provider);
        servers[i] = it.server();
        channels[i] = i % 2 == 0 ? it.accepted() : it.client();
        peers[i] = i % 2 == 0 ? it.client() : it.accepted();
        peers[i].setOption(StandardSocketOptions.TCP_NODELAY, true); // otherwise TCP may keep bytes back for a while
        unread[i] = 0;
        channels[i].configureBlocking(false);
        peers[i].configureBlocking(false);
        channels[i].register(selector, SelectionKey.OP_READ, i);
    }

    /** @return what the program sees of it, exceptions included */
    String perform(Operation operation) throws Exception {
        try {
            return String.valueOf(result(operation));
        } catch (IOException | CancelledKeyException e) {
            return e.toString();
        }
    }

    private Object result(Operation operation) throws Exception {
        int i = operation.connection;
        int amount = operation.amount;
        SocketChannel channel = channels[i];
        SelectionKey key = channel.keyFor(selector);
        switch (operation.kind) {
            case WRITE:
                return wrote(i, unread[i] > UNREAD_MAX ? 0 : peers[i].write(ByteBuffer.allocate(amount)));
            case GATHER:
                return wrote(i, unread[i] > UNREAD_MAX ? 0
                        : peers[i].write(new ByteBuffer[] {ByteBuffer.allocate(amount / 2), ByteBuffer.allocateDirect(amount)}));
            case READ:
                awaitBytes(i);
                return read(i, channel.read(ByteBuffer.allocate(amount)));
            case SCATTER:
                awaitBytes(i);
                return read(i, channel.read(new ByteBuffer[] {ByteBuffer.allocate(amount), ByteBuffer.allocateDirect(UNREAD_MAX)}));
            case INTEREST:
                return key == null ? null : key.interestOps(amount % 2 * SelectionKey.OP_READ | amount / 2 % 2 * SelectionKey.OP_WRITE)
                        .interestOps();
            case CANCEL:
                if (key != null) {
                    key.cancel();
                }
                return selector.keys().size();
            case REGISTER:
                return key == null && channel.isOpen() ? channel.register(selector, SelectionKey.OP_READ, i).interestOps() : null;
            case SHUT:
                return channel.shutdownOutput().isConnected();
            case SHUT_PEER:
                return peers[i].shutdownOutput().isConnected();
            case SHUT_INPUT:
                return channel.shutdownInput().isConnected();
            case CLOSE:
                channel.close();
                return selector.keys().size();
            case CLOSE_PEER:
                peers[i].close();
                return channel.isOpen();
            case RESET_PEER:
                if (peers[i].isOpen()) {
                    peers[i].setOption(StandardSocketOptions.SO_LINGER, 0).close();
                }
                return channel.isOpen();
            case REOPEN:
                channel.close();
                peers[i].close();
                servers[i].close();
                selector.selectNow();
                open(i);
                return selector.keys().size();
            case WAKEUP:
                return selector.wakeup() == selector;
            default:
                return reopenSelector(amount);
        }
    }

    /** Seldom: all connections go to a new selector. */
    private Object reopenSelector(int amount) throws IOException {
        if (amount % 4 != 0) {
            return null;
        }
        selector.close();
        selector = provider.openSelector();
        int registered = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            if (channels[i].isOpen()) {
                channels[i].register(selector, SelectionKey.OP_READ, i);
                registered++;
            }
        }
        return registered;
    }

    private long wrote(int i, long bytes) {
        unread[i] += (int) bytes;
        transferred += bytes;
        return bytes;
    }

    /** A transport between hosts needs a moment, and how many bytes a read gets must not depend on that. */
    private void awaitBytes(int i) throws Exception {
        if (channels[i].isOpen() && peers[i].isOpen() && !channels[i].socket().isInputShutdown()) {
            InputStream in = channels[i].socket().getInputStream();
            Await.until(() -> unread[i] + " bytes come", () -> in.available() >= unread[i]);
        }
    }

    private long read(int i, long bytes) {
        unread[i] -= (int) Math.max(0, bytes);
        return bytes;
    }

    /** Which connections are ready now, and for what. @param consume whether a consumer gets the keys */
    String ready(boolean consume) throws IOException {
        TreeSet<String> ready = new TreeSet<>();
        int count = consume ? selector.selectNow(key -> ready.add(key.attachment() + ":" + key.readyOps())) : selector.selectNow();
        for (SelectionKey key : selector.selectedKeys()) {
            ready.add(key.attachment() + ":" + key.readyOps());
        }
        selector.selectedKeys().clear();
        return count + " " + ready;
    }

    long transferred() {
        return transferred;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        for (int i = 0; i < CONNECTIONS; i++) {
            channels[i].close();
            peers[i].close();
            servers[i].close();
        }
    }
}
