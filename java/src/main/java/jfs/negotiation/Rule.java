package jfs.negotiation;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * One line of a file of rules.
 *
 * @param networks whose connections it is about
 * @param transport what it chooses for them: {@code sci}, {@code mx} or {@code tcp}
 * @param text the line, for messages
 */
record Rule(Action action, List<Network> networks, int firstPort, int lastPort, String transport, String text) {

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
    }

    /** @param remote the other end's address, @param port the listener's port, on whichever side it is */
    boolean matches(Action by, InetAddress remote, int port) {
        if (action != by || port < firstPort || port > lastPort) {
            return false;
        }
        byte[] address = Tuple.mapped(remote);
        return networks.stream().anyMatch(network -> network.contains(address));
    }
}
