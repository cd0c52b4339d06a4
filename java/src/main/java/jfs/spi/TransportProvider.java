package jfs.spi;

import java.util.List;

/**
 * What a transport tells of itself before it is used. JFS knows a transport by its provider only. JFS has the providers of its own
 * transports. If {@code jfs.transport} names another one, JFS looks for it by {@link java.util.ServiceLoader}, with the class loader that
 * has loaded JFS. So the provider has a public constructor without arguments, and is registered in
 * {@code META-INF/services/jfs.spi.TransportProvider} or by {@code provides} in a {@code module-info}. docs/transports.md tells how to
 * write one.
 *
 * <p>Every JVM with the agent makes the provider when it starts, and most of these JVMs never make a socket. So a provider's class loads
 * no other classes before {@link #obstacle} or {@link #open} is called.
 *
 * <p>A provider has no state. Any thread may call its methods.
 */
public interface TransportProvider {

    /** The transport's name in {@code jfs.transport}, in rules and in counters: a lower-case word of at most 16 letters and digits. */
    String name();

    Reach reach();

    /**
     * The settings of this transport. They are constants: each call returns the same objects. Their names begin with {@code jfs.} and the
     * transport's name.
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * What a rule means that chooses this transport, in words for users: "shared memory". For {@link Reach#THIS_HOST} JFS adds "if the peer
     * is on this host", for {@link Reach#OTHER_HOSTS} what the peer has to prove.
     *
     * @param forced whether the rule says {@code forced}
     */
    default String inWords(boolean forced) {
        return name();
    }

    /**
     * Looks whether the transport can be used in this process. Called once, on a thread of the program, in the call that makes the first
     * socket, and only if a connection may use the transport. So it does not block for long. It may load libraries.
     *
     * @return null if the transport can be used
     */
    default Obstacle obstacle(TransportSettings settings) {
        return null;
    }

    /**
     * Makes the transport. Called once, if there is no {@link #obstacle}, on a thread of the program that listens, reads or writes, when a
     * connection may first be offered a fast path. It does not block for long. The transport lives as long as the process.
     *
     * @throws IllegalStateException if the system lacks something now. This is called again after a second
     */
    Transport open(TransportSettings settings);
}
