package jfs.negotiation;

import java.net.InetAddress;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.nativelib.Posix;

/**
 * The names under which listening sockets can be found: {@code jfs/1/<address>:<port>#<k>} in the abstract namespace of
 * Unix sockets, which is the network namespace's, as ports are, and which forgets a name with its process. The address
 * is 32 hex digits, or {@code *} for the wildcard. A name in use takes the next k (SO_REUSEPORT groups, an IPv6-only
 * beside an IPv4 listener); running out of them only means that some connections stay on TCP (R3).
 */
final class Names {

    /** Most listeners on one address and port that can be told apart. */
    static final int K_MAX = 8;
    static final String WILDCARD = "*";
    private static final int BACKLOG = 128;

    private Names() {
    }

    static String name(String address, int port, int k) {
        return "jfs/1/" + address + ":" + port + "#" + k;
    }

    static String hex(byte[] mappedAddress) {
        return HexFormat.of().formatHex(mappedAddress);
    }

    /** Takes the first free name; a negative errno if there is none. */
    static int listen(InetAddress address, int port) {
        String text = address == null || address.isAnyLocalAddress() ? WILDCARD : hex(Tuple.mapped(address));
        int fd = -Posix.EADDRINUSE;
        for (int k = 0; k < K_MAX && fd == -Posix.EADDRINUSE; k++) {
            fd = Posix.unixListen(name(text, port, k), BACKLOG);
        }
        return fd;
    }

    /** All names that a listener may have, in the order in which they are asked. */
    static final class Search {
        private final String first;
        private final String address;
        private final int port;
        private int at = -1;

        /**
         * The listener's own address comes before the wildcard, for each number.
         *
         * @param first the name to begin with, null if none is likelier than others
         */
        Search(String first, String address, int port) {
            this.first = first;
            this.address = address;
            this.port = port;
        }

        /** Null if there are no more. */
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

    /**
     * A name in use: by its listening socket, and by every socket accepted from it that has no fast path yet, so that a
     * server which closes its listener after one accept can still be found (R3). The last user closes it.
     */
    static final class Name implements Runnable {
        private final AtomicInteger users = new AtomicInteger(1);
        private final Runnable close;

        Name(Runnable close) {
            this.close = close;
        }

        void retain() {
            users.incrementAndGet();
        }

        /** Releases it: for who does so once, when something else ends. */
        @Override
        public void run() {
            release();
        }

        void release() {
            if (users.decrementAndGet() == 0) {
                close.run();
            }
        }
    }
}
