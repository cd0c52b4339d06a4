package jfs.transport.tcp;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Which of this process's descriptors are connections of JFS's own. A connection is known by the number of its descriptor and its local
 * port. An entry stays after the connection has ended, so a connection that nobody closes costs nothing either. Another connection rarely
 * gets the same number and the same local port; those that a channel accepts at a port where JFS has listened before may, and then count as
 * JFS's. Two bytes for each descriptor that the process has had at once. Safe for use by any thread.
 */
final class OwnDescriptors {

    private static final int AT_FIRST = 256;

    /** By descriptor; 0 where there was none. Guarded by the class. */
    private static char[] localPorts = new char[AT_FIRST];

    /** Sockets that are open and whose descriptors can't be known. */
    static final AtomicInteger UNKNOWN = new AtomicInteger();

    private OwnDescriptors() {
    }

    /** @param descriptor none if it is negative */
    static synchronized void add(int descriptor, int localPort) {
        if (descriptor < 0) {
            return;
        }
        if (descriptor >= localPorts.length) {
            localPorts = Arrays.copyOf(localPorts, Math.max(descriptor + 1, 2 * localPorts.length));
        }
        localPorts[descriptor] = (char) localPort;
    }

    static synchronized boolean has(int descriptor, int localPort) {
        return descriptor < localPorts.length && localPorts[descriptor] == localPort;
    }
}
