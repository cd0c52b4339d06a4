package jfs.negotiation.handshake.local;

import jfs.nativelib.Posix;
import jfs.negotiation.handshake.Nonces;
import jfs.spi.TcpDescriptor;

/**
 * A number by which the two ends of an offer show each other that they hold the TCP connection that the offer is for (NEG-7). A user id
 * does not show that: a process in another container may have the same user id, and no means to access this process.
 *
 * <p>The connecting end gives its Unix socket a name with a new token in it, and sets the token as the pacing limit of its TCP socket. Only
 * a process that has the TCP socket can set the limit. The kernel tells the limit of each socket to every process of the network namespace
 * ({@link TcpOwners}). The kernel keeps the name unique as long as the Unix socket is open. An accepting end that finds the same token in
 * the name of its visitor's Unix socket therefore knows that the visitor holds the other end of the connection. The accepting end then sets
 * the token at its own TCP socket. A connecting end that finds the token there knows that the process which has that TCP socket also has
 * the other end of this Unix socket. A process in between could pass on messages, but not a name.
 *
 * <p>A token is public. It is valid only while its Unix socket is open. Before the connecting end closes the Unix socket, it takes the
 * token back from its TCP socket. The accepting end may leave the token at its TCP socket, because no token is used twice.
 *
 * <p>As a pacing limit a token is more than 4 EB/s, so no byte waits for the limit. But from then on the kernel paces what such a socket
 * sends, by its own estimate of the connection's speed. The kernel does so also after the limit is taken back.
 */
final class Token {

    private static final String NAME = "jfs/1/visit/";
    private static final int RADIX = 16;
    private static final long NO_LIMIT = -1;
    /** Every token has this bit, and does not have the bit above it. */
    private static final long HIGHEST = 1L << 62;

    private final long number;

    private Token(long number) {
        this.number = number;
    }

    /** @return a new random token */
    static Token next() {
        return new Token(Nonces.next() >>> 2 | HIGHEST);
    }

    /** @return the token in the name of the socket at the other end of a Unix socket; null if there is none */
    static Token ofPeer(int unixSocket) {
        String name = Posix.unixPeerName(unixSocket);
        if (name == null || !name.startsWith(NAME)) {
            return null;
        }
        try {
            Token it = new Token(Long.parseLong(name, NAME.length(), name.length(), RADIX));
            // Only one spelling of a number is valid: the kernel keeps names unique, not numbers.
            return it.number >= HIGHEST && it.name().equals(name) ? it : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The name of the connecting end's Unix socket. */
    String name() {
        return NAME + Long.toString(number, RADIX);
    }

    /** Sets the token at a TCP socket of this process. If the socket is closed, or the kernel can't do it, no token is shown. */
    void show(TcpDescriptor tcp) {
        set(tcp, number);
    }

    /** Takes the token back that a TCP socket shows. */
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

    /** @return whether that owner's TCP socket shows this token */
    boolean isShownBy(TcpOwners.Owner owner) {
        return owner.pacing() == number;
    }
}
