package jfs.spi;

/** The kernel's TCP descriptor under a connection, for polling it together with a transport's own. */
public interface TcpDescriptor {

    /**
     * The descriptor, kept open until {@link #release}.
     *
     * @return -1 once the socket is closed; then there is nothing to release
     */
    int acquire();

    void release();

    /**
     * Whether there is an event on TCP now: bytes, the end of the stream, or an error. False if the socket is closed. Makes a system
     * call and does not wait.
     */
    boolean hasEvent();
}
