package jfs.transport.tcp;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Knows which of this process's descriptors are connections of JFS's own. A connection is known by the number of its descriptor and by its
 * local port. An entry stays after the connection has ended, so a connection that is never closed costs no more than another one. Another
 * connection rarely gets the same number and the same local port. A connection that a channel accepts at a port where JFS has listened
 * before may get both, and then counts as JFS's. The table takes two bytes for each descriptor that the process has had at the same time.
 * Safe for use by any thread.
 */
final class OwnDescriptors {

    private static final int AT_FIRST = 256;

    /** The local port by descriptor; 0 where there was no connection. Guarded by the class. */
    private static char[] localPorts = new char[AT_FIRST];

    /** The number of open sockets whose descriptors can't be known. */
    static final AtomicInteger UNKNOWN = new AtomicInteger();

    private OwnDescriptors() {
    }

    /** @param descriptor if it is negative, nothing is added */
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
