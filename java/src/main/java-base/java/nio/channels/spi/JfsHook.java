package java.nio.channels.spi;

import java.nio.channels.SocketChannel;

/**
 * What the channels of {@code sun.nio.ch.JfsProvider} ask JFS. JFS defines this interface and {@link JfsEnd} in an exported package of
 * {@code java.base}: they are the only two types that both the JDK's package {@code sun.nio.ch} and the classes of JFS can see. Only code
 * that has the trusted lookup can hand a hook over.
 */
public interface JfsHook {

    /**
     * Called once for each new TCP channel, before any other thread knows the channel, and before it connects if it is not an accepted
     * one. Must not throw.
     *
     * @return the connection's end, or null if the connection stays plain: the channel is then the JDK's in all it does
     */
    JfsEnd end(SocketChannel channel, boolean accepted);

    /**
     * Called for each accepted channel that stays the JDK's, without an end, because JFS could not make its own channel for the connection.
     * Must not throw.
     */
    void keepsJdks(Throwable why);
}
