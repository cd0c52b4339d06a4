package jfs.negotiation.handshake;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jfs.negotiation.policy.Choice;
import jfs.negotiation.policy.Refusal;
import jfs.spi.Transport;
import jfs.spi.TransportProvider;
import jfs.spi.TransportSettings;
import jfs.stat.Reason;

/** The opened transports of this host, or those between hosts. A transport that can't be opened leaves the others alone. Immutable. */
public final class OpenTransports {

    /** The longest name of a transport in an offer, bytes of ASCII. */
    private static final int NAME_MAX = 16;

    private final Map<String, Transport> byProvider = new HashMap<>();
    private final Map<String, Transport> byOffer = new HashMap<>();
    /** Why transports could not be opened, by their providers' names. */
    private final Map<String, String> failures = new HashMap<>();

    /**
     * Opens transports.
     *
     * @param betweenHosts whether those between hosts are opened, or those of this host
     */
    public OpenTransports(List<TransportProvider> usable, boolean betweenHosts, TransportSettings settings) {
        for (TransportProvider it : usable) {
            if (it.betweenHosts() == betweenHosts) {
                try {
                    open(it, settings);
                } catch (RuntimeException | LinkageError e) { // of code that may not be JFS's; the program's call must not fail
                    failures.put(it.name(), e.toString());
                }
            }
        }
    }

    private void open(TransportProvider provider, TransportSettings settings) {
        Transport transport = provider.open(settings);
        String name = transport.name();
        boolean good = !name.isEmpty() && name.length() <= NAME_MAX && !byOffer.containsKey(name);
        for (int i = 0; i < name.length(); i++) {
            good &= name.charAt(i) > ' ' && name.charAt(i) < 0x7f;
        }
        if (!good) {
            throw new IllegalArgumentException("transport " + provider.name() + " has the name \"" + name
                    + "\" in offers; allowed is one of at most " + NAME_MAX + " letters that no other transport has");
        }
        byProvider.put(provider.name(), transport);
        byOffer.put(name, transport);
    }

    public boolean isEmpty() {
        return byProvider.isEmpty();
    }

    /** @return the transport that the connection may use; null if it is TCP, or of the other kind, or could not be opened */
    public Transport chosenBy(Choice choice) {
        return choice.transport() == null ? null : byProvider.get(choice.transport().name());
    }

    /** @return why the transport that the connection may use could not be opened; null if it was */
    public Refusal failureOf(Choice choice) {
        String failure = choice.transport() == null ? null : failures.get(choice.transport().name());
        return failure == null ? null : new Refusal(Reason.NO_TRANSPORT, failure);
    }

    /** @return the transport that has this name in offers; null if there is none */
    Transport offered(String name) {
        return byOffer.get(name);
    }
}
