package jfs.negotiation.handshake.local;

import java.net.InetAddress;
import jfs.nativelib.Posix;
import jfs.negotiation.policy.MappedAddress;

/**
 * The names by which peer processes find listening sockets: {@code jfs/1/<address>:<port>#<k>}. They are abstract names of Unix
 * sockets. Such names belong to a network namespace, as ports do, and the kernel frees a name when its process ends. The address
 * is 32 hex digits, or {@code *} for the wildcard. If a name is in use, the listening socket takes the next k. This is so in SO_REUSEPORT
 * groups, and for an IPv6-only listener beside an IPv4 listener. If no name is left, some connections stay on TCP; no bind fails (NEG-3).
 */
final class Names {

    /** The most listeners on one address and port that can have names. */
    static final int K_MAX = 8;
    static final String WILDCARD = "*";
    private static final int BACKLOG = 128;

    private Names() {
    }

    static String name(String address, int port, int k) {
        return "jfs/1/" + address + ":" + port + "#" + k;
    }

    /** @return the descriptor of a new socket that listens at the first free name; a negative errno if there is none */
    static int take(InetAddress address, int port) {
        String text = address == null || address.isAnyLocalAddress() ? WILDCARD : MappedAddress.hex(MappedAddress.of(address));
        int fd = -Posix.EADDRINUSE;
        for (int k = 0; k < K_MAX && fd == -Posix.EADDRINUSE; k++) {
            fd = Posix.unixListen(name(text, port, k), BACKLOG);
        }
        return fd;
    }

    /** All names that a listener may have, in the order in which a connecting process asks them. */
    static final class Search {
        private final String first;
        private final String address;
        private final int port;
        private int at = -1;

        /**
         * For each k the listener's own address comes before the wildcard.
         *
         * @param first the name to begin with; null if no name is likelier than the others
         */
        Search(String first, String address, int port) {
            this.first = first;
            this.address = address;
            this.port = port;
        }

        /** @return null if there are no more names */
        String next() {
            if (at < 0) {
                at = 0;
                if (first != null) {
                    return first;
                }
            }
            while (at < 2 * K_MAX) {
                String name = name(at % 2 == 0 ? address : WILDCARD, port, at / 2);
                at++;
                if (!name.equals(first)) {
                    return name;
                }
            }
            return null;
        }
    }
}
