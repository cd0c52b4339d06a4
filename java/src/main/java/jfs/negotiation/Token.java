package jfs.negotiation;

import jfs.nativelib.Posix;
import jfs.spi.TcpDescriptor;

/**
 * A number by which the two ends of an offer show each other that they hold the TCP connection it is for (NEG-7). A user id
 * does not show that: a process in another container may have the same one, and no means to touch this process.
 *
 * <p>The connecting end gives its Unix socket a name with a new token in it, and sets the token as the pacing limit of its TCP
 * socket. Only a process that has the TCP socket can do so, and the kernel tells the limit of each socket to every process
 * of the network namespace ({@link TcpOwners}). The kernel keeps the name unique as long as the Unix socket is open. So an accepting end
 * whose visitor's socket has that name knows that the visitor holds the other end of the connection. It then sets the same
 * token at its own TCP socket; a connecting end that finds it there knows that the holder of that socket has this Unix
 * socket's other end. A process in between could pass on messages, but not a name.
 *
 * <p>A token is public. It is valid only while its Unix socket is open: before the connecting end closes that, it takes the token
 * back from its TCP socket. The accepting end may leave it there, for a token is never used twice.
 *
 * <p>As a pacing limit a token is more than 4 EB/s, so no byte waits for the limit. But the kernel goes on to space what such a
 * socket sends by its own estimate of the connection's speed, also after the limit is taken back.
 */
final class Token {

    private static final String NAME = "jfs/1/visit/";
    private static final int RADIX = 16;
    private static final long NO_LIMIT = -1;
    /** Every token has this bit, and not the one above. */
    private static final long HIGHEST = 1L << 62;

    private final long number;

    private Token(long number) {
        this.number = number;
    }

    /** A new one. */
    static Token next() {
        return new Token(Nonces.next() >>> 2 | HIGHEST);
    }

    /** The one in the name of the socket at the other end of a Unix socket; null if that has none. */
    static Token ofPeer(int unixSocket) {
        String name = Posix.unixPeerName(unixSocket);
        if (name == null || !name.startsWith(NAME)) {
            return null;
        }
        try {
            Token it = new Token(Long.parseLong(name, NAME.length(), name.length(), RADIX));
            // Only the one way to write it: the kernel keeps names unique, not numbers.
            return it.number >= HIGHEST && it.name().equals(name) ? it : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The name of the connecting end's Unix socket. */
    String name() {
        return NAME + Long.toString(number, RADIX);
    }

    /** Sets it at a TCP socket that this process has. Where the socket is closed, or the kernel can't, nothing is shown. */
    void show(TcpDescriptor tcp) {
        set(tcp, number);
    }

    /** Takes back what was shown there. */
    static void hide(TcpDescriptor tcp) {
        set(tcp, NO_LIMIT);
    }

    private static void set(TcpDescriptor tcp, long rate) {
        int fd = tcp.acquire();
        if (fd >= 0) {
            try {
                Posix.setMaxPacingRate(fd, rate);
            } finally {
                tcp.release();
            }
        }
    }

    /** Whether the TCP socket of that owner shows it. */
    boolean isShownBy(TcpOwners.Owner owner) {
        return owner.pacing() == number;
    }
}
