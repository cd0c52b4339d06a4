package jfs.config;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import jfs.spi.TransportProvider;

/**
 * Looks for transports that do not come with JFS. This class is loaded only if {@code jfs.transport} names such a transport: the search
 * looks into each jar of the class path.
 */
final class OtherTransports {

    private OtherTransports() {
    }

    /**
     * @return null if there is no transport of that name
     * @throws IllegalArgumentException if a provider is registered and can't be made; the message is one line
     */
    static TransportProvider find(String name) {
        try {
            ClassLoader own = TransportProvider.class.getClassLoader(); // a transport has to know this very interface
            for (TransportProvider it : ServiceLoader.load(TransportProvider.class, own)) {
                if (it.name().equals(name)) {
                    return it;
                }
            }
            return null;
        } catch (ServiceConfigurationError e) {
            throw new IllegalArgumentException("JFS: bad setting jfs.transport: looking for " + name + ": " + e.getMessage(), e);
        }
    }
}
