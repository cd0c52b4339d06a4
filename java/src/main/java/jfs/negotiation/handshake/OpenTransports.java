package jfs.negotiation.handshake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.negotiation.policy.Choice;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;

/** The opened transports of this host, or those between hosts. Immutable. */
public final class OpenTransports {

    private final Map<String, Transport> byProvider = new HashMap<>();
    private final Map<String, Transport> byOffer = new HashMap<>();

    /**
     * Opens transports.
     *
     * @param betweenHosts whether those between hosts are opened, or those of this host
     * @throws IllegalStateException if the system lacks something for one of them now
     */
    public OpenTransports(List<TransportProvider> usable, boolean betweenHosts, TransportSettings settings) {
        for (TransportProvider it : usable) {
            if (it.betweenHosts() == betweenHosts) {
                Transport transport = it.open(settings);
                byProvider.put(it.name(), transport);
                byOffer.put(transport.name(), transport);
            }
        }
    }

    public boolean isEmpty() {
        return byProvider.isEmpty();
    }

    /** @return the transport that the connection may use; null if it is TCP, or a transport of the other kind */
    public Transport chosenBy(Choice choice) {
        return choice.transport() == null ? null : byProvider.get(choice.transport().name());
    }

    /** @return the transport that has this name in offers; null if there is none */
    Transport offered(String name) {
        return byOffer.get(name);
    }
}
