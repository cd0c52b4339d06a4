package workloads.pipes;

import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/**
 * Channels and selectors within this JVM, over the pipes of {@link PipeSocketImpl}. They do only what the measured programs need. The
 * property {@code java.nio.channels.spi.SelectorProvider} names this class.
 */
public final class PipeProvider extends SelectorProvider {
    @Override
    public SocketChannel openSocketChannel() {
        return new PipeChannel(this);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() {
        return new PipeServerChannel(this);
    }

    @Override
    public AbstractSelector openSelector() {
        return new PipeSelector(this);
    }

    @Override
    public DatagramChannel openDatagramChannel() {
        throw new UnsupportedOperationException("only TCP channels and selectors are pipes");
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) {
        throw new UnsupportedOperationException("only TCP channels and selectors are pipes");
    }

    @Override
    public java.nio.channels.Pipe openPipe() {
        throw new UnsupportedOperationException("only TCP channels and selectors are pipes");
    }
}
