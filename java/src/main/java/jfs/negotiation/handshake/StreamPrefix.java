package jfs.negotiation.handshake;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * The first bytes of a connection's two streams, as they went over TCP at this end. What one end has received of them must be what the
 * other end has sent. A proxy that ends TCP, but keeps addresses and ports, is found out by the bytes that it changes (NEG-6). The bytes
 * are kept for connections for which a rule has chosen MX, until the connection has a path or stays on TCP for good. Other connections
 * pay nothing.
 *
 * <p>Thread-safe: the reader thread, the writer thread and the negotiation's thread use it.
 */
public final class StreamPrefix {

    /** Bytes kept of each direction. A proxy that changes a stream at all changes its first lines. More would cost each connection more. */
    static final int MOST = 4096;
    private static final byte[] NOTHING = {};

    /** The bytes of one direction. */
    private static final class Bytes {
        private byte[] bytes = NOTHING;
        private int count;
        /** As many are kept at most. It gets less when memory runs out, because no bytes are kept behind a gap. */
        private int most = MOST;

        synchronized void add(byte[] from, int offset, int length) {
            int more = Math.min(length, most - count);
            if (more <= 0 || !makeRoom(more)) {
                return;
            }
            System.arraycopy(from, offset, bytes, count, more);
            count += more;
        }

        /** Where there is no memory, fewer bytes are kept. The program's read or write must not fail for this. */
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

        /** @return null if there are not so many */
        synchronized byte[] first(int wanted) {
            return wanted > count ? null : Arrays.copyOf(bytes, wanted);
        }

        synchronized int count() {
            return count;
        }

        synchronized void truncate(int to) {
            count = Math.min(count, to);
        }

        synchronized byte[] all() {
            return Arrays.copyOf(bytes, count);
        }
    }

    private final Bytes sent = new Bytes();
    private final Bytes received = new Bytes();

    /** Called before the bytes are sent. Otherwise the peer process could report bytes that are not kept here yet. */
    public void sending(byte[] from, int offset, int length) {
        sent.add(from, offset, length);
    }

    public void received(byte[] into, int offset, int length) {
        received.add(into, offset, length);
    }

    /**
     * As {@link #sending(byte[], int, int)}, with the bytes from the buffer's position to its limit. TCP may take fewer of them, so that a
     * call of {@link #sent} follows.
     *
     * @return how many bytes were kept before
     */
    public int sending(ByteBuffer from) {
        int before = sent.count();
        byte[] first = first(from);
        sending(first, 0, first.length);
        return before;
    }

    /** TCP has taken only so many of the bytes. @param before what {@link #sending(ByteBuffer)} has returned */
    public void sent(int before, int bytes) {
        sent.truncate(before + bytes);
    }

    /** As {@link #received(byte[], int, int)}, with the {@code length} bytes in front of the buffer's position. */
    public void received(ByteBuffer into, int length) {
        byte[] first = first(into.duplicate().flip().position(into.position() - length));
        received(first, 0, first.length);
    }

    private static byte[] first(ByteBuffer bytes) {
        byte[] first = new byte[Math.min(MOST, bytes.remaining())];
        bytes.get(bytes.position(), first);
        return first;
    }

    /**
     * What one end tells the other of its stream.
     *
     * @param count bytes that it has received, 0 to {@link #MOST}
     * @param digest of those
     */
    public record Seen(int count, byte[] digest) {
    }

    /** @return what this end has received so far, @param digest with a key that the peer process has too */
    public Seen seen(UnaryOperator<byte[]> digest) {
        byte[] bytes = received.all();
        return new Seen(bytes.length, digest.apply(bytes));
    }

    /** @return whether what the peer process has received is what this end has sent */
    public boolean isWhatWasSent(Seen seen, UnaryOperator<byte[]> digest) {
        byte[] bytes = sent.first(seen.count());
        return bytes != null && MessageDigest.isEqual(digest.apply(bytes), seen.digest());
    }
}
