package jfs.conformance.soak.transfer;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import jfs.testing.VirtualThreads;

/** The event loops of a process: two. The second one has a virtual thread, where there are such threads. */
public final class EventLoops {

    private final List<EventLoop> all = new ArrayList<>();

    /** @param failed is told of what ends a loop, or keeps a listener from accepting */
    private final Consumer<Throwable> failed;

    public EventLoops(Consumer<Throwable> failed) throws IOException {
        this.failed = failed;
        ThreadFactory platform = work -> {
            Thread thread = new Thread(work, "event loop");
            thread.setDaemon(true);
            return thread;
        };
        ThreadFactory virtual = VirtualThreads.factory();
        all.add(new EventLoop(platform, failed));
        all.add(new EventLoop(virtual == null ? platform : virtual, failed));
    }

    EventLoop any(Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** The number of keys of connections in all selectors. */
    public long keys() throws IOException {
        long keys = 0;
        for (EventLoop loop : all) {
            keys += loop.keys();
        }
        return keys;
    }

    /** Accepts connections in an event loop. */
    public void accept(ServerSocketChannel listener, Consumer<SocketChannel> accepted) throws IOException {
        listener.configureBlocking(false);
        all.get(0).register(listener, SelectionKey.OP_ACCEPT, key -> {
            try {
                for (SocketChannel next = listener.accept(); next != null; next = listener.accept()) {
                    accepted.accept(next);
                }
            } catch (Throwable e) {
                key.cancel();
                failed.accept(e);
            }
        }, true);
    }

    /** Connects in non-blocking mode. */
    public Transfer connect(SocketAddress address, Random random) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            if (!channel.connect(address)) {
                finishConnect(channel, random);
            }
            channel.configureBlocking(true);
            return transfer(channel, random);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            all.forEach(EventLoop::wakeup); // so that no selector keeps the channel
            throw e;
        }
    }

    private void finishConnect(SocketChannel channel, Random random) throws IOException {
        CompletableFuture<Boolean> connected = new CompletableFuture<>();
        EventLoop loop = any(random);
        SelectionKey key = loop.register(channel, SelectionKey.OP_CONNECT, ready -> {
            try {
                if (channel.finishConnect()) {
                    ready.interestOps(0);
                    connected.complete(true);
                }
            } catch (IOException e) { // the channel is closed
                connected.completeExceptionally(e);
            }
        }, random.nextBoolean());
        try {
            connected.get();
        } catch (ExecutionException e) {
            throw (IOException) e.getCause();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        loop.deregister(key);
    }

    /** @param channel is connected, and in blocking mode */
    public Transfer transfer(SocketChannel channel, Random random) throws IOException {
        return new SelectorTransfer(channel, this, random);
    }
}
