package sun.nio.ch;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.UnaryOperator;

/**
 * The JDK's own provider of channels and selectors, which has TCP channels and selectors made by JFS. JFS's class {@code jfs.nio.Channels}
 * defines this class in {@code java.base} and makes it the default provider. It refers to no other class of JFS: these are defined when a
 * program first makes a TCP channel or a selector. Where that can't be done it makes what the JDK makes.
 */
public final class JfsProvider extends EPollSelectorProvider {

    /** Makes {@code JfsFactory}, once. Null when that was done. Guarded by this. */
    private UnaryOperator<SelectorProvider> makesFactory;
    /** Written once, before {@link #isDecided}. Null where the JDK's channels and selectors stay. */
    private SelectorProvider factory;
    private volatile boolean isDecided;

    /**
     * Called by {@code java.nio.channels.spi.SelectorProvider}. A program can't call it: this package is not exported. JFS hands over what
     * makes the factory by the system properties, at this class as the key, and only for this call. A method handle takes a starting JVM
     * two milliseconds.
     */
    @SuppressWarnings("unchecked")
    public JfsProvider() {
        this.makesFactory = (UnaryOperator<SelectorProvider>) System.getProperties().remove(JfsProvider.class);
        this.isDecided = makesFactory == null;
    }

    /** @return null for the JDK's */
    private SelectorProvider factory() {
        if (!isDecided) {
            decide();
        }
        return factory;
    }

    private synchronized void decide() {
        UnaryOperator<SelectorProvider> makes = makesFactory;
        if (makes != null) {
            makesFactory = null; // a channel that this call makes by itself is the JDK's
            factory = makes.apply(this); // throws nothing
            isDecided = true; // not before: other threads wait here
        }
    }

    // The methods that the JDK's provider has for TCP and for selectors.

    @Override
    public AbstractSelector openSelector() throws IOException {
        SelectorProvider it = factory();
        return it == null ? super.openSelector() : it.openSelector();
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        SelectorProvider it = factory();
        return it == null ? super.openSocketChannel() : it.openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        SelectorProvider it = factory();
        return it == null ? super.openSocketChannel(family) : it.openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        SelectorProvider it = factory();
        return it == null ? super.openServerSocketChannel() : it.openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        SelectorProvider it = factory();
        return it == null ? super.openServerSocketChannel(family) : it.openServerSocketChannel(family);
    }

    /** As the JDK's own provider writes itself. */
    @Override
    public String toString() {
        return EPollSelectorProvider.class.getName() + '@' + Integer.toHexString(hashCode());
    }
}
