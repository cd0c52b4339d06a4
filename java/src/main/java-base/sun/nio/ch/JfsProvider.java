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

    /** How long a thread waits for another one that makes the factory, which takes a tenth of a second. */
    private static final long WAIT_NANOS = 3_000_000_000L;

    /** Makes {@code JfsFactory}, once. Null when that was done, or is being done. Guarded by this. */
    private UnaryOperator<SelectorProvider> makesFactory;
    /** The thread that makes the factory. Guarded by this. */
    private Thread making;
    /** Some thread has waited in vain, so no other one waits. Guarded by this. */
    private boolean isLate;
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
        return isDecided ? factory : decide();
    }

    /**
     * The first thread makes the factory. No lock is held meanwhile: an agent's class transformer may run, and may wait for another thread
     * that opens a channel. The other threads wait for the first one, but not for ever: then they get what the JDK makes.
     */
    private SelectorProvider decide() {
        UnaryOperator<SelectorProvider> makes;
        synchronized (this) {
            makes = makesFactory;
            if (makes == null) {
                awaitOther();
                return isDecided ? factory : null;
            }
            makesFactory = null;
            making = Thread.currentThread();
        }
        SelectorProvider made = makes.apply(this); // throws nothing
        synchronized (this) {
            factory = made;
            isDecided = true;
            making = null;
            notifyAll();
        }
        return made;
    }

    /** Called under this. The thread that makes the factory does not wait for itself: a channel that it makes by itself is the JDK's. */
    private void awaitOther() {
        long end = System.nanoTime() + WAIT_NANOS;
        boolean interrupted = false;
        while (!isDecided && !isLate && making != Thread.currentThread()) {
            long millis = (end - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                isLate = true;
                break;
            }
            try {
                wait(millis);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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
