package jfs.config;

import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import jfs.spi.TransportProvider;

/**
 * Looks for transports that do not come with JFS. This class is loaded only if {@code jfs.transport} names such a transport: the search
 * looks into each jar of the class path.
 */
final class OtherTransports {

    /** A search ends after so many providers that fail. */
    private static final int FAILURES_MAX = 100;

    private OtherTransports() {
    }

    /**
     * @return null if there is no transport of that name
     * @throws IllegalArgumentException if there is none, and a provider is registered that can't be made; the message is one line
     */
    static TransportProvider find(String name) {
        ClassLoader own = TransportProvider.class.getClassLoader(); // a transport has to know this very interface
        Iterator<TransportProvider> all = ServiceLoader.load(TransportProvider.class, own).iterator();
        Throwable failure = null;
        for (int failures = 0; failures < FAILURES_MAX;) {
            try {
                if (!all.hasNext()) {
                    break;
                }
                TransportProvider it = all.next();
                if (name.equals(it.name())) {
                    return it;
                }
            } catch (ServiceConfigurationError | LinkageError | RuntimeException e) { // maybe of a provider that nobody has named
                failures++;
                failure = failure == null ? e : failure;
            }
        }
        if (failure == null) {
            return null;
        }
        String cause = failure.getCause() == null ? "" : ": " + failure.getCause();
        throw new IllegalArgumentException("jfs: bad setting jfs.transport: looking for " + name + ": " + failure.getMessage() + cause,
                failure);
    }
}
