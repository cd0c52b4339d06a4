package jfs.ring;

import java.net.SocketException;

/** The peer put something into the shared memory that the protocol does not allow. The connection is over. */
public final class CorruptRingException extends SocketException {

    private static final long serialVersionUID = 1L;

    CorruptRingException(String word, long value, String allowed) {
        super("Shared memory corrupted by the peer: " + word + " is " + value + ", allowed is " + allowed);
    }
}
