package sun.nio.ch;

import java.io.FileDescriptor;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.JfsEnd;
import java.nio.channels.spi.JfsHook;
import java.nio.channels.spi.JfsListener;
import java.nio.channels.spi.JfsWaiting;
import java.nio.channels.spi.SelectorProvider;

/**
 * Makes subclasses of the JDK's TCP channels and selectors, for {@link JfsProvider}. Without a hook it makes what the JDK makes. JFS
 * defines this class, and all that it refers to, when the provider is first used.
 */
final class JfsFactory extends EPollSelectorProvider {

    private static volatile JfsHook hook;
    /** Guarded by the class. */
    private static FileDescriptor unsendable;

    /** The provider of what is made here, as the program sees it. */
    private final SelectorProvider provider;

    /** Called by JFS, by the trusted lookup. */
    private JfsFactory(SelectorProvider provider) {
        this.provider = provider;
    }

    /** Called by JFS, by the trusted lookup. */
    private static void use(JfsHook it) {
        hook = it;
    }

    /** The end of a channel that has connected, or null if it stays plain. */
    static JfsEnd connected(JfsStream channel) {
        JfsHook it = hook;
        return it == null ? null : it.connected(channel);
    }

    /** The end of a channel that this listener has accepted, or null if it stays plain. */
    static JfsEnd accepted(JfsChannel channel, JfsListener listener) {
        JfsHook it = hook;
        return it == null ? null : it.accepted(channel, listener);
    }

    /** JFS's part of a channel that listens, or null if its connections stay plain. */
    static JfsListener listening(JfsServerChannel channel) {
        JfsHook it = hook;
        return it == null ? null : it.listening(channel);
    }

    /** How a selector waits for connections with a path; null if it does so in the kernel's selection only. */
    static JfsWaiting newWaiting(int epoll, Runnable kernelNews) {
        JfsHook it = hook;
        return it == null ? null : it.newWaiting(epoll, kernelNews);
    }

    /** An accepted channel stays the JDK's: JFS could not make another one for its connection. */
    static void keepsJdks(Throwable why) {
        JfsHook it = hook;
        if (it != null) {
            it.keepsJdks(why);
        }
    }

    /** A descriptor to which the kernel sends no file (EINVAL). Only a channel with an end asks, so there is a hook. */
    static synchronized FileDescriptor unsendable() {
        FileDescriptor it = unsendable;
        if (it == null) {
            int descriptor = hook.unsendable();
            it = IOUtil.newFD(descriptor);
            if (descriptor >= 0) {
                unsendable = it;
            }
        }
        return it;
    }

    private static boolean isTcp(ProtocolFamily family) {
        return family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6 && Net.isIPv6Available();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return hook == null ? super.openSelector() : new JfsSelector(provider);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return hook == null ? super.openSocketChannel() : new JfsChannel(provider);
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        return hook == null || !isTcp(family) ? super.openSocketChannel(family) : new JfsChannel(provider, family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return hook == null ? super.openServerSocketChannel() : new JfsServerChannel(provider);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        return hook == null || !isTcp(family) ? super.openServerSocketChannel(family) : new JfsServerChannel(provider, family);
    }
}
