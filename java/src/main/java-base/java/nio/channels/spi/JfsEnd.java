package java.nio.channels.spi;

import java.nio.channels.Selector;

/**
 * One end of a TCP connection whose channel is not plain. The channel and its selectors call the methods, by any thread. No method may
 * throw or wait.
 */
public interface JfsEnd {

    /**
     * The program has read bytes from TCP, by whichever method of the channel or of its adaptor. Called after the read, without a lock. Not
     * called for 0 bytes, nor for the stream's end.
     */
    void received(long bytes);

    /**
     * TCP has taken bytes of the program, by whichever method of the channel or of its adaptor, urgent data included. Bytes that
     * {@code FileChannel.transferTo} sends by {@code sendfile} are not reported: the JDK uses the channel's descriptor for them.
     */
    void sent(long bytes);

    /** Which events of TCP a selector is to wait for. @param events what the interest set asks for, in the bits of {@code poll(2)} */
    int interest(int events);

    /** Which events the channel has. @param events what TCP has, in the bits of {@code poll(2)} */
    int ready(int events);

    /** The channel is registered with a selector of JFS's provider. The selector does not have the key in its key set yet. */
    void registered(Selector selector);

    /** The interest set of the channel's key in that selector has changed. The next selection obeys it. */
    void interestSet(Selector selector, int ops);

    /** That selector has let go of the channel: the key was cancelled, or the selector was closed. Called once for each registration. */
    void deregistered(Selector selector);

    /** The channel is closing. Called once, before the JDK does anything for the close. */
    void closing();

    /** The channel is closed, and its last selector has let go of it. Not called for a channel that no selector had when it was closed. */
    void killed();
}
