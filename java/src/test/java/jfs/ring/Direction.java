package jfs.ring;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import jfs.memory.Shared;
import jfs.spi.Claim;

/** For tests with jcstress: a direction in memory of its own, and the words of the two inboxes. */
public abstract class Direction {

    static final int WINDOW = 8 * InboxLayout.LINE;
    static final int OVERFLOW = InboxLayout.LINE;
    /** What {@link #receive} returns for bytes that are not the expected ones. */
    static final int BROKEN = -1;

    /** Many more than jcstress uses at a time with the strides it is given. Memory is reused: allocating it would take longest. */
    private static final int PLACES = 4096;
    private static final int BYTES = InboxLayout.inboxBytes(WINDOW, OVERFLOW);
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(PLACES * 2 * BYTES);
    private static final byte[] WORDS = new byte[InboxLayout.WRITER_ASLEEP + 4];
    private static final byte[] RINGS = new byte[WINDOW + OVERFLOW];
    private static final AtomicInteger NEXT = new AtomicInteger();

    final Inbox receivers;
    final Inbox senders;
    final RingSender sender;
    final RingReceiver receiver;
    private final Claim claim = new Claim();
    private final Claim shown = new Claim();
    /** Whether the sender begins again at the first line as soon as it may. */
    boolean light;

    Direction() {
        int place = (NEXT.getAndIncrement() & PLACES - 1) * 2 * BYTES;
        receivers = new Inbox(fresh(place));
        senders = new Inbox(fresh(place + BYTES));
        sender = new RingSender(receivers.memory(), senders.memory(), WINDOW, OVERFLOW, WINDOW, true, () -> light);
        receiver = new RingReceiver(receivers.memory(), senders.memory(), WINDOW, OVERFLOW, true);
    }

    private static Shared fresh(int offset) {
        Shared memory = new Shared(MEMORY, offset, BYTES);
        memory.put(0, WORDS, 0, WORDS.length);
        memory.put(InboxLayout.RING, RINGS, 0, RINGS.length);
        return memory;
    }

    final int send(byte[] from) {
        try {
            return sender.send(from, 0, from.length);
        } catch (CorruptRingException e) {
            throw new AssertionError(e);
        }
    }

    final void spill(byte... from) {
        try {
            sender.spill(from, 0, from.length);
        } catch (CorruptRingException e) {
            throw new AssertionError(e);
        }
    }

    /** Fills a claim of {@code filled} bytes with the value, and commits the first ones. @return the bytes committed, 0 for no room */
    final int sendInPlace(int value, int filled, int committed) {
        try {
            if (!sender.claim(claim, filled, filled)) {
                return 0;
            }
        } catch (CorruptRingException e) {
            throw new AssertionError(e);
        }
        for (int i = 0; i < filled; i++) {
            claim.memory().put(claim.offset() + i, (byte) value);
        }
        sender.commit(committed);
        return committed;
    }

    /** As {@link #receive}, of the bytes where they lie. */
    final int receiveInPlace(byte[] expected) {
        try {
            int n = receiver.peek(shown);
            for (int i = 0; i < n; i++) {
                if (i >= expected.length || shown.memory().get(shown.offset() + i) != expected[i]) {
                    return BROKEN;
                }
            }
            if (n > 0) {
                receiver.release(n);
            }
            return n;
        } catch (CorruptRingException e) {
            return BROKEN;
        }
    }

    final boolean hasRoom() {
        try {
            return sender.hasRoom();
        } catch (CorruptRingException e) {
            throw new AssertionError(e);
        }
    }

    /** @return how many bytes have come; BROKEN if they are not the expected ones */
    final int receive(byte[] expected) {
        byte[] into = new byte[expected.length];
        try {
            int n = receiver.receive(into, 0, into.length);
            return Arrays.equals(into, 0, n, expected, 0, n) ? n : BROKEN;
        } catch (CorruptRingException e) {
            return BROKEN;
        }
    }

    static byte[] filledWith(int value, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }
}
