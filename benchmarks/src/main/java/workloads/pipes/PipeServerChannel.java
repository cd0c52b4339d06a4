package workloads.pipes;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;

/** A listening channel within this JVM. */
final class PipeServerChannel extends ServerSocketChannel implements PipeSelector.Watched {
    private final PipeSocketImpl listener = new PipeSocketImpl();
    private final ServerSocket adaptor = new ServerSocket(listener) {};

    PipeServerChannel(SelectorProvider provider) {
        super(provider);
    }

    @Override
    public ServerSocketChannel bind(SocketAddress address, int backlog) throws IOException {
        adaptor.bind(address, backlog);
        return this;
    }

    @Override
    public SocketChannel accept() throws IOException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
        if (!isBlocking() && !listener.isAcceptable()) {
            return null;
        }
        PipeSocketImpl accepted = new PipeSocketImpl();
        listener.accept(accepted);
        return new PipeChannel(provider(), accepted);
    }

    @Override
    public int ready() {
        return listener.isAcceptable() ? SelectionKey.OP_ACCEPT : 0;
    }

    @Override
    public void watch(Runnable then) {
        listener.whenAcceptable(then);
    }

    @Override
    public ServerSocket socket() {
        return adaptor;
    }

    @Override
    public SocketAddress getLocalAddress() {
        return adaptor.getLocalSocketAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
        throw new UnsupportedOperationException(name.name());
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return Set.of(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        adaptor.close();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}
}
