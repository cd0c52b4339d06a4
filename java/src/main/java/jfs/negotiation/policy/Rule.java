package jfs.negotiation.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import jfs.spi.TransportProvider;

/**
 * One line of a file of rules.
 *
 * @param networks the networks of the hosts that the rule is about
 * @param transport what the rule chooses for their connections; null for TCP
 * @param trusted for a transport between hosts: the peer process need not prove that it has the key
 * @param forced for a transport between hosts: JFS uses it in spite of an obstacle that is {@linkplain jfs.spi.Obstacle#overridable
 *             overridable}
 * @param text the line and its number, for messages
 */
record Rule(Action action, List<Network> networks, int firstPort, int lastPort, TransportProvider transport,
        boolean trusted, boolean forced, String text) {

    static final String TCP = "tcp";
    static final String IF_ON_THIS_HOST = ", if the peer is on this host";

    /** The end of a connection that a rule is for. */
    enum Action {
        /** The connecting end. The rule's host and port are those of the listener. */
        CONNECT,
        /** The accepting end. The rule's host is the peer's, and its port is the one that this process listens on. */
        ACCEPT
    }

    /**
     * The addresses of one kind that begin with these bits. An IPv4 network contains no IPv6 address, and an IPv6 network no IPv4 address.
     * An IPv4-mapped address is an IPv4 address. Scope ids are not compared.
     *
     * @param address 4 bytes, or 16 that are not IPv4-mapped; none for the addresses of both kinds
     */
    record Network(byte[] address, int bits) {

        static final Network ANY = new Network(new byte[0], 0);

        boolean contains(byte[] mappedAddress) {
            if (address.length == 0) {
                return true;
            }
            int begin = MappedAddress.isIpv4(mappedAddress) ? MappedAddress.IPV4_PREFIX.length : 0;
            if (address.length != mappedAddress.length - begin) {
                return false;
            }
            int whole = bits / 8;
            if (!Arrays.equals(address, 0, whole, mappedAddress, begin, begin + whole)) {
                return false;
            }
            int rest = bits % 8;
            return rest == 0 || (address[whole] ^ mappedAddress[begin + whole]) >> (8 - rest) == 0;
        }

        /** @return the network as a rule could name it */
        @Override
        public String toString() {
            if (address.length == 0) {
                return "*";
            }
            try {
                String host = InetAddress.getByAddress(address).getHostAddress();
                return bits == 8 * address.length ? host : host + "/" + bits;
            } catch (UnknownHostException e) {
                throw new AssertionError("16 bytes, or 4", e);
            }
        }
    }

    /**
     * @param remote the peer's address
     * @param port the listener's port, at whichever end the listener is
     */
    boolean matches(Action by, InetAddress remote, int port) {
        if (action != by || port < firstPort || port > lastPort) {
            return false;
        }
        return matches(by, MappedAddress.of(remote));
    }

    /** @return whether the rule is about connections with that host, on any port */
    boolean matches(Action by, byte[] mappedAddress) {
        return action == by && networks.stream().anyMatch(network -> network.contains(mappedAddress));
    }

    /** @return whether it chooses a transport between hosts */
    boolean betweenHosts() {
        return transport != null && transport.betweenHosts();
    }

    /** @return the hosts and ports that the rule is about, as the parser has understood them; for people */
    String subject() {
        String hosts = networks.stream().map(Network::toString).collect(Collectors.joining(", "));
        String ports = firstPort == lastPort ? "port " + firstPort
                : firstPort == 1 && lastPort == Rules.PORT_MAX ? "all ports" : "ports " + firstPort + " to " + lastPort;
        String ours = ports.startsWith("all ") ? "all our ports" : "our " + ports;
        return action == Action.CONNECT ? "to listeners on " + hosts + ", " + ports
                : "from " + hosts + ", to " + ours;
    }

    /** @return what the rule means for a connection; for people */
    String consequence() {
        if (transport == null) {
            return "TCP";
        }
        String consequence = transport.inWords(forced);
        if (!betweenHosts()) {
            return consequence + IF_ON_THIS_HOST;
        }
        return consequence + (trusted ? "; whoever has one of these addresses is trusted"
                : "; the peer has to prove that it has the key of jfs.hosts.key");
    }
}
