package jfs.ring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import jfs.memory.Shared;

/**
 * The two ends of one direction, in memory of this process. The sender writes the receiver's inbox, the heads go back through the
 * sender's. For tests with jcstress there is {@link Direction}.
 */
final class Ends {

    final Shared receivers;
    final Shared senders;
    final RingSender sender;
    final RingReceiver receiver;

    /** A direction whose stream always goes through the whole ring. */
    Ends(int window, int overflow, int longMin) {
        this(window, overflow, longMin, false, () -> true);
    }

    Ends(int window, int overflow, int longMin, boolean rewinds, RingSender.Pace pace) {
        int bytes = InboxLayout.inboxBytes(window, overflow);
        ByteBuffer memory = ByteBuffer.allocateDirect(2 * bytes);
        receivers = new Shared(memory, 0, bytes);
        senders = new Shared(memory, bytes, bytes);
        sender = new RingSender(receivers, senders, window, overflow, longMin, rewinds, pace);
        receiver = new RingReceiver(receivers, senders, window, overflow, rewinds);
    }

    /** Zeroes pages that are given back, as the kernel does. */
    void lose(int offset, int length) {
        assertTrue(offset % InboxLayout.PAGE == 0 && length % InboxLayout.PAGE == 0 && length > 0);
        receivers.put(offset, new byte[length], 0, length);
    }

    /** The bytes of the test's stream from a position on. */
    static byte[] pattern(int length, long position) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(position + i);
        }
        return bytes;
    }

    /** The byte of the test's stream at a position. */
    static byte at(long position) {
        return (byte) (position * 31 + (position >>> 8) * 7 + (position >>> 16));
    }
}
