package jfs.spi;

import java.util.List;

/**
 * What a transport tells of itself before it is used. JFS knows a transport by its provider only. JFS has the providers of its own
 * transports. If {@code jfs.transport} names another transport, JFS looks for it by {@link java.util.ServiceLoader}, with the class loader
 * that has loaded JFS. Such a provider has a public constructor without arguments, and is registered in {@code
 * META-INF/services/jfs.spi.TransportProvider} or by {@code provides} in a {@code module-info}. docs/how-to/transports.md tells how to
 * write one.
 *
 * <p>A JVM makes the provider for its first socket, or when it starts if a setting concerns transports. Most connections are too short for
 * a fast path. For this reason a provider's class loads no other classes of its transport before {@link #obstacle} or {@link #open} is
 * called.
 *
 * <p>A provider has no state. Any thread may call its methods.
 */
public interface TransportProvider {

    /**
     * The transport's name in {@code jfs.transport}, in rules and in counters: a lower-case word of at most 16 letters and digits. JFS
     * never looks for the names {@code auto}, {@code tcp}, {@code sci} and {@code mx}. Of two providers with one name the first that is
     * found counts.
     */
    String name();

    /**
     * Which peers the transport reaches: processes of other hosts, or of this host. It decides how the two processes find each other, and
     * what they prove. On one host each finds out from the kernel that the other one holds the connection's other end. Between hosts a rule
     * has to choose the transport, and the processes prove to each other that they have the same key.
     */
    boolean betweenHosts();

    /**
     * The settings of this transport. They are constants: each call returns the same objects. The names of settings begin with {@code jfs.}
     * and the transport's name, if the transport does not come with JFS. No other transport declares that name.
     */
    default List<Setting<?>> settings() {
        return List.of();
    }

    /**
     * What a rule means that chooses this transport, in words for users: "shared memory". JFS adds "if the peer is
     * on this host", or between hosts what the peer has to prove.
     *
     * @param forced whether the rule says {@code forced}
     */
    default String inWords(boolean forced) {
        return name();
    }

    /**
     * Looks whether the transport can be used in this process. Called once, and only if a connection may use the transport. A thread of the
     * program calls it while it makes the first socket. For this reason the method must not block for long, and must not make a socket. It
     * may load libraries. An exception counts as an obstacle.
     *
     * @return null if the transport can be used
     */
    default Obstacle obstacle() {
        return null;
    }

    /**
     * Makes the transport. Called when a connection may first be offered a fast path, if there is no {@link #obstacle}, or if the obstacle
     * is overridable and a rule says {@code forced}. The calling thread is a thread of the program that listens, reads or writes. The
     * method must not block for long, and must not make a socket. The transport lives as long as the process.
     *
     * @return not null
     * @throws RuntimeException if the transport can't be used in this process: its connections then stay on TCP, for the reason
     *             NO_TRANSPORT. A {@link LinkageError} counts alike. After an OutOfMemoryError this is called again
     */
    Transport open(TransportSettings settings);
}
