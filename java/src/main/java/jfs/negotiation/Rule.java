package jfs.negotiation;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One line of a file of rules.
 *
 * @param networks whose connections it is about
 * @param transport what it chooses for them: {@code sci}, {@code mx} or {@code tcp}
 * @param trusted for mx: the peer's host need not prove that it has the key
 * @param forced for mx: also where nothing faster than the kernel's TCP lies beneath
 * @param text the line, for messages
 */
record Rule(Action action, List<Network> networks, int firstPort, int lastPort, String transport, boolean trusted,
        boolean forced, String text) {

    static final String SCI = "sci";
    static final String MX = "mx";
    static final String TCP = "tcp";

    /** Which end of a connection asks. */
    enum Action {
        /** The one that connects: host and port are the listener's. */
        CONNECT,
        /** The one that accepts: the host is the peer's, the port is the listener's own. */
        ACCEPT
    }

    /**
     * The addresses that begin with these bits. IPv4 addresses are taken as IPv4-mapped ones, so a network of one kind
     * holds no address of the other; scope ids don't count.
     */
    record Network(byte[] address, int bits) {

        static final Network ANY = new Network(new byte[16], 0);

        boolean contains(byte[] other) {
            int whole = bits / 8;
            if (!Arrays.equals(address, 0, whole, other, 0, whole)) {
                return false;
            }
            int rest = bits % 8;
            return rest == 0 || (address[whole] ^ other[whole]) >> (8 - rest) == 0;
        }

        private boolean isIpv4() {
            return bits >= 96 && Arrays.equals(address, 0, 12, Tuple.IPV4_PREFIX, 0, 12);
        }

        /** As it could stand in a rule. */
        @Override
        public String toString() {
            if (bits == 0) {
                return "*";
            }
            try {
                String host = InetAddress.getByAddress(isIpv4() ? Arrays.copyOfRange(address, 12, 16) : address)
                        .getHostAddress();
                int prefix = isIpv4() ? bits - 96 : bits;
                return bits == 128 ? host : host + "/" + prefix;
            } catch (UnknownHostException e) {
                throw new AssertionError("16 bytes, or 4", e);
            }
        }
    }

    /** @param remote the other end's address, @param port the listener's port, on whichever side it is */
    boolean matches(Action by, InetAddress remote, int port) {
        if (action != by || port < firstPort || port > lastPort) {
            return false;
        }
        return matches(by, Tuple.mapped(remote));
    }

    /** Whether it is about connections with that host, by whichever port. */
    boolean matches(Action by, byte[] mappedAddress) {
        return action == by && networks.stream().anyMatch(network -> network.contains(mappedAddress));
    }

    /** Whom it is about, as it was understood. */
    String subject() {
        String hosts = networks.stream().map(Network::toString).collect(Collectors.joining(", "));
        String ports = firstPort == lastPort ? "port " + firstPort
                : firstPort == 1 && lastPort == Rules.PORT_MAX ? "all ports" : "ports " + firstPort + " to " + lastPort;
        return action == Action.CONNECT ? "to listeners on " + hosts + ", " + ports
                : "from " + hosts + ", to our " + ports;
    }

    /** What follows from it. */
    String consequence() {
        return switch (transport) {
            case SCI -> "shared memory, if the peer is on this host";
            case MX -> "MX, " + (forced ? "also where there is no RDMA" : "where there is RDMA")
                    + (trusted ? "; whoever has one of these addresses is trusted"
                            : "; the peer has to prove that it has the key of jfs.hosts.key");
            default -> "TCP";
        };
    }
}
