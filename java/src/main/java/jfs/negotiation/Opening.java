package jfs.negotiation;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The first bytes of a connection's two streams, as they went over TCP at this end. What one end has received of them must
 * be what the other has sent: a proxy that ends TCP, but keeps addresses and ports, shows by what it changes (NEG-6). Kept of
 * connections that a rule wants between hosts, until it is decided what becomes of them; no others pay for it.
 *
 * <p>Thread-safe: a reader, a writer and the negotiation.
 */
public final class Opening {

    /** Of each direction. Whoever changes a stream at all does so in its first lines; more would cost every connection. */
    static final int MOST = 4096;
    private static final byte[] NOTHING = {};

    /** One direction. */
    private static final class Bytes {
        private byte[] bytes = NOTHING;
        private int count;
        /** As many as are kept at most: none beyond a gap. */
        private int most = MOST;

        synchronized void add(byte[] from, int offset, int length) {
            int more = Math.min(length, most - count);
            if (more <= 0 || !makeRoom(more)) {
                return;
            }
            System.arraycopy(from, offset, bytes, count, more);
            count += more;
        }

        /** Without memory it has to do with what there is: the program's bytes have come, and are not to be lost for this. */
        private boolean makeRoom(int more) {
            if (count + more > bytes.length) {
                try {
                    bytes = Arrays.copyOf(bytes, Math.min(MOST, Math.max(2 * bytes.length, count + more)));
                } catch (OutOfMemoryError e) {
                    most = count;
                    return false;
                }
            }
            return true;
        }

        /** Null if there are not so many. */
        synchronized byte[] first(int wanted) {
            return wanted > count ? null : Arrays.copyOf(bytes, wanted);
        }

        synchronized byte[] all() {
            return Arrays.copyOf(bytes, count);
        }
    }

    private final Bytes sent = new Bytes();
    private final Bytes received = new Bytes();

    /** Before they are sent, or the peer may have received more than was sent. */
    public void sending(byte[] from, int offset, int length) {
        sent.add(from, offset, length);
    }

    public void received(byte[] into, int offset, int length) {
        received.add(into, offset, length);
    }

    /**
     * What one end tells the other of its stream.
     *
     * @param count bytes that it has received, 0 to {@link #MOST}
     * @param digest of those
     */
    record Seen(int count, byte[] digest) {
    }

    /** What this end has received so far. */
    Seen seen(Transcript by) {
        byte[] bytes = received.all();
        return new Seen(bytes.length, by.digest(bytes));
    }

    /** Whether what the peer has received is what this end has sent. */
    boolean isWhatWasSent(Seen seen, Transcript by) {
        byte[] bytes = sent.first(seen.count());
        return bytes != null && MessageDigest.isEqual(by.digest(bytes), seen.digest());
    }
}
