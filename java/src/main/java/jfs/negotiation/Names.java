package jfs.negotiation;

import java.net.InetAddress;
import java.util.HexFormat;
import jfs.nativelib.Posix;
import jfs.spi.NoResourcesException;

/**
 * The names under which listening sockets can be found: {@code jfs/1/<address>:<port>#<k>} in the abstract namespace of
 * Unix sockets, which is the network namespace's, as ports are, and which forgets a name with its process. The address
 * is 32 hex digits, or {@code *} for the wildcard. A name in use takes the next k (SO_REUSEPORT groups, an IPv6-only
 * beside an IPv4 listener); running out of them only means that some connections stay on TCP (NEG-3).
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
    static int take(InetAddress address, int port) {
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
     * What a listening socket is found by. The name is taken for the first who needs it, and given back by the last: the listening
     * socket, and every socket accepted from it that offers can find and that has no fast path yet. So a server which closes its
     * listener after one accept can still be found (NEG-3).
     */
    abstract static class Name implements Runnable {
        private int users = 1; // the listening socket; guarded by this
        /** Gives it back; null while it is not taken. Written under this. */
        private volatile Runnable close;

        /** @return what gives it back; null if there is none left */
        abstract Runnable open() throws NoResourcesException;

        boolean isTaken() {
            return close != null;
        }

        /** Takes it, if that is not done yet. */
        synchronized boolean take() throws NoResourcesException {
            if (close == null) {
                close = open();
            }
            return close != null;
        }

        /**
         * One more needs it.
         *
         * @return false if there is none left
         */
        synchronized boolean retain() throws NoResourcesException {
            boolean taken = take();
            users += taken ? 1 : 0;
            return taken;
        }

        /** Releases it: for who does so once, when something else ends. */
        @Override
        public void run() {
            release();
        }

        synchronized void release() {
            users--;
            if (users == 0 && close != null) {
                close.run();
                close = null;
            }
        }
    }
}
