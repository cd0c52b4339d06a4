package jfs.config;

import java.util.List;
import jfs.spi.Reach;
import jfs.spi.TransportProvider;

/**
 * The fast transports of this process. Immutable.
 *
 * @param known all of them; a rule may name these
 * @param allowed those that {@code jfs.transport} allows, in its order
 */
public record Transports(List<TransportProvider> known, List<TransportProvider> allowed) {

    /** @return the transport for connections without a rule: the first allowed one of this host; null if there is none */
    public TransportProvider ofThisHost() {
        for (TransportProvider it : allowed) {
            if (it.reach() == Reach.THIS_HOST) {
                return it;
            }
        }
        return null;
    }

    public boolean allow(TransportProvider transport) {
        return named(transport.name(), allowed) != null;
    }

    /** @return the transport of that name, or null */
    public static TransportProvider named(String name, List<TransportProvider> transports) {
        for (TransportProvider it : transports) {
            if (it.name().equals(name)) {
                return it;
            }
        }
        return null;
    }
}
