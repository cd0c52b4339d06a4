package java.nio.channels.spi;

import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * What the channels and selectors of {@code sun.nio.ch.JfsFactory} ask JFS. JFS defines this interface, {@link JfsEnd}, {@link
 * JfsListener}, {@link JfsTcp} and {@link JfsWaiting} in an exported package of {@code java.base}. They are the only types that both the
 * JDK's package {@code sun.nio.ch} and the classes of JFS can see. Only code that has the trusted lookup can hand a hook over. No method
 * may throw or wait.
 */
public interface JfsHook {

    /**
     * Called once for each channel that has connected, by the holder of its two locks.
     *
     * @param channel is a {@link JfsTcp} too
     * @return the connection's end, or null if the connection stays plain: the channel is then the JDK's in all it does
     */
    JfsEnd connected(SocketChannel channel);

    /**
     * Called once for each channel that was accepted, before any other thread knows it.
     *
     * @param channel is a {@link JfsTcp} too
     * @param listener what {@link #listening} has returned
     * @return as {@link #connected}
     */
    JfsEnd accepted(SocketChannel channel, JfsListener listener);

    /** Called once for each listening channel, when it has its address. @return null if its connections stay plain */
    JfsListener listening(ServerSocketChannel channel);

    /**
     * How one selector waits for connections with a path. Called once for each selector that has one.
     *
     * @param epoll the descriptor of the kernel's selection
     * @param kernelNews is run by another thread when the kernel's selection has an event, if the selector has asked for it; must not block
     * @return null if the selector is to sleep in the kernel's selection only, and not to poll
     */
    JfsWaiting newWaiting(int epoll, Runnable kernelNews);

    /** @return a descriptor to which the kernel sends no file (EINVAL), and which is never closed; negative if there is none now */
    int unsendable();

    /** Called for each accepted channel that stays the JDK's because JFS could not make its own channel for the connection. */
    void keepsJdks(Throwable why);
}
