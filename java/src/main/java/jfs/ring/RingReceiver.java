package jfs.ring;

import java.nio.ByteBuffer;
import jfs.memory.Shared;
import jfs.spi.Claim;
import jfs.steps.Step;

/**
 * The receiving half of one direction. The protocol is described at {@link RingSender}. One thread at a time uses it (under
 * the socket's read lock). It never blocks. Each value from shared memory is copied once, and then the copy is checked.
 *
 * <p>RING-5. The receiver publishes its head when it has consumed a quarter of the ring since the last time. So a sender that
 * finds less than a quarter free never waits for a receiver that has nothing left to read. The receiver also publishes its
 * head at the end of a receive if it is a page behind. So the sender of an idle connection can give back all but that page.
 * <br>RING-6. The receiver publishes the head of the overflow ring at each quarter, and whenever that ring is empty. The
 * sender returns to the ring only when it sees that the overflow ring is drained.
 */
public final class RingReceiver {

    private final Shared local;
    private final Shared remote;
    private final int window;
    private final int lines;
    /** {@link #receiveLine} leaves fewer lines than this unpublished (RING-5). */
    private final int lag;
    private final int overflow;
    private final int overflowBase;
    /** The least value of a header in the peer's version of the protocol. */
    private final long leastHeader;

    private long head;
    /** The position of {@code head} within the ring, in bytes. */
    private int at;
    private long publishedHead;
    /** The length in bytes of the record at the head, and how many of them are consumed. Length 0: its header was not read yet. */
    private int recordLength;
    private int consumed;
    private boolean spilled;
    /** {@code overflowHead} when the present spill began. */
    private long spillStart;
    private long overflowHead;
    private long publishedOverflowHead;
    private long knownOverflowTail;
    private boolean progress;
    private boolean published;

    /** Bytes ever taken out of records. */
    private long taken;
    /** The bytes ever taken, those of the overflow ring included, when bytes were last shown. */
    private long shownAt;
    // What available() has counted: all records before the line countedTo. They had counted bytes in all, taken ones included.
    private long countedTo;
    private long counted;

    /** For a stream that never begins again at the first line, as those of message queues. */
    public RingReceiver(Shared local, Shared remote, int window, int overflow) {
        this(local, remote, window, overflow, false);
    }

    /**
     * @param local the inbox of this end
     * @param remote the peer's inbox, in which this end publishes its heads
     * @param rewinds whether the sender may begin again at the first line
     */
    public RingReceiver(Shared local, Shared remote, int window, int overflow, boolean rewinds) {
        this.local = local;
        this.remote = remote;
        this.window = window;
        this.lines = window / InboxLayout.LINE;
        this.lag = Math.min(lines >> 2, InboxLayout.PAGE / InboxLayout.LINE);
        this.overflow = overflow;
        this.overflowBase = InboxLayout.RING + window;
        this.leastHeader = rewinds ? RingSender.REWIND : RingSender.SPILLED;
    }

    /** As {@link #receive(byte[], int, int, int)} with one look. */
    public int receive(byte[] into, int offset, int length) throws CorruptRingException {
        return receive(into, offset, length, 1);
    }

    /**
     * Takes the bytes that are there, or that come at once.
     *
     * @param looks the most looks for the first record, with a pause between two looks; the overflow ring is looked at once
     * @return bytes received, 0 if there are none now
     * @throws CorruptRingException if the peer wrote what the protocol does not allow
     */
    public int receive(byte[] into, int offset, int length, int looks) throws CorruptRingException {
        return receive(into, null, offset, length, looks);
    }

    /** As {@link #receive(byte[], int, int)}, into a buffer of any kind. Its position and limit stay as they are, and do not count. */
    public int receive(ByteBuffer into, int offset, int length) throws CorruptRingException {
        return receive(null, into, offset, length, 1);
    }

    /** The JIT compiles this method on its own (JIT-1). @param into where the bytes go; if null, they go to {@code buffer} */
    private int receive(byte[] into, ByteBuffer buffer, int offset, int length, int looks) throws CorruptRingException {
        int received = 0;
        while (received < length) {
            if (spilled) {
                int n = takeOverflow(into, buffer, offset + received, length - received);
                if (n == 0) {
                    break;
                }
                received += Math.max(n, 0);
                continue;
            }
            if (recordLength == 0) {
                long header = local.getLongAcquire(InboxLayout.RING + at);
                for (int left = received == 0 ? looks : 1; header == 0 && left > 1; left--) {
                    Thread.onSpinWait();
                    header = local.getLongAcquire(InboxLayout.RING + at);
                }
                if (header == 0) {
                    break;
                }
                if (header < 0) {
                    leaveRing(checked(header, at));
                    continue;
                }
                recordLength = (int) checked(header, at);
                consumed = 0;
            }
            int n = Math.min(length - received, recordLength - consumed);
            int start = at + RingSender.HEADER + consumed;
            if (start >= window) {
                start -= window;
            }
            int first = Math.min(n, window - start);
            get(InboxLayout.RING + start, into, buffer, offset + received, first);
            if (first < n) {
                get(InboxLayout.RING, into, buffer, offset + received + first, n - first);
            }
            received += n;
            consumed += n;
            taken += n;
            if (consumed == recordLength) {
                int count = InboxLayout.linesOf(recordLength);
                recordLength = 0;
                consumeLines(count);
            }
        }
        if (head - publishedHead >= InboxLayout.PAGE / InboxLayout.LINE) {
            publishHead(); // progress stays as it is: a sleeping writer waits for the overflow ring (RING-6)
        }
        return received;
    }

    /** As {@link #peek(Claim, int)} with one look. */
    public int peek(Claim into) throws CorruptRingException {
        return peek(into, 1);
    }

    /**
     * Shows the next bytes where they lie. {@link #release} takes them.
     *
     * @param looks the most looks for the record, with a pause between two looks
     * @return bytes shown: those of one record or of the overflow ring that lie in one piece; 0 if there are none now
     * @throws CorruptRingException if the peer wrote what the protocol does not allow
     */
    public int peek(Claim into, int looks) throws CorruptRingException {
        for (;;) {
            if (spilled) {
                int there = (int) Math.min(overflowLimit() - overflowHead, overflow);
                if (there == 0) {
                    if (!overflowEnded()) {
                        return 0;
                    }
                    spilled = false;
                    continue;
                }
                int start = (int) (overflowHead & (overflow - 1));
                return show(into, overflowBase + start, Math.min(there, overflow - start));
            }
            if (recordLength == 0) {
                long header = firstHeader(local, InboxLayout.RING + at, looks);
                if (header == 0) {
                    return 0;
                }
                checked(header, at);
                if (header < 0) {
                    leaveRing(header);
                    continue;
                }
                recordLength = (int) header;
                consumed = 0;
            }
            int start = at + RingSender.HEADER + consumed;
            if (start >= window) {
                start -= window;
            }
            return show(into, InboxLayout.RING + start, Math.min(recordLength - consumed, window - start));
        }
    }

    private int show(Claim into, int offset, int length) {
        shownAt = taken + overflowHead;
        local.show(into, offset, length);
        return length;
    }

    /** Takes the first bytes of what {@link #peek} has shown. */
    public void release(int bytes) {
        if (taken + overflowHead != shownAt) { // CLAIM-2
            throw new IllegalStateException("the bytes were received by another call since they were shown");
        }
        if (spilled) {
            consumeOverflow(bytes, overflowHead + bytes == knownOverflowTail);
            return;
        }
        consumed += bytes;
        taken += bytes;
        if (consumed == recordLength) {
            int count = InboxLayout.linesOf(recordLength);
            recordLength = 0;
            consumeLines(count);
        }
        if (head - publishedHead >= InboxLayout.PAGE / InboxLayout.LINE) {
            publishHead(); // as in receive
        }
    }

    /** Goes on in the overflow ring, or at the ring's first line, as the header says. */
    private void leaveRing(long header) {
        if (header == RingSender.SPILLED) {
            spilled = true;
            spillStart = overflowHead;
            consumeLines(1);
        } else {
            consumeLines(linesToTheEnd(at));
        }
    }

    /**
     * The short way of {@link #receive}. It takes a record of one line that has exactly the bytes that are asked for, if no
     * head has to be published after it. The header needs no other check than the comparison with the caller's number. All
     * other conditions are checked before the record comes, because checks after it would delay the answer.
     *
     * @param looks the most looks for the record, with a pause between two looks
     * @return false if the short way does not apply; then nothing was received
     */
    public boolean receiveLine(byte[] into, int offset, int length, int looks) {
        int record = InboxLayout.RING + at;
        if (length <= 0 || length > RingSender.IN_LINE || spilled || recordLength != 0 || head + 1 - publishedHead >= lag
                || firstHeader(local, record, looks) != length) {
            return false;
        }
        local.get(record + RingSender.HEADER, into, offset, length);
        taken += length;
        head++;
        at = advance(at, 1);
        return true;
    }

    /** The header as soon as it is not 0; 0 if it is 0 at each of the looks. */
    private static long firstHeader(Shared local, int record, int looks) {
        long header = local.getLongAcquire(record);
        for (int left = looks - 1; header == 0 && left > 0; left--) {
            Thread.onSpinWait();
            header = local.getLongAcquire(record);
        }
        return header;
    }

    /** Whether {@link #receive} has something to look at. Cheap enough for polling. */
    public boolean hasNews() throws CorruptRingException {
        if (spilled) {
            return overflowTail() != overflowHead || overflowEnded();
        }
        return recordLength > 0 || local.getLongAcquire(InboxLayout.RING + at) != 0;
    }

    /** Whether there is more than one record, or a part of the stream that is none. Called when {@link #hasNews} may hold. */
    public boolean hasSeveral() {
        if (spilled || recordLength > 0) {
            return true;
        }
        long header = local.getLongAcquire(InboxLayout.RING + at);
        return header < 0 || header > 0 && header <= longest()
                && local.getLongAcquire(InboxLayout.RING + advance(at, InboxLayout.linesOf((int) header))) != 0;
    }

    /**
     * The offset in bytes of the header that tells the next news by a value other than 0. Called only when {@link #receive}
     * has returned nothing.
     *
     * @return -1 if other words tell the next news
     */
    public int nextHeader() {
        return spilled || recordLength > 0 ? -1 : InboxLayout.RING + at;
    }

    /**
     * The number of bytes that {@link #receive} would return now. Each record is counted once, so a call costs only the
     * records that have come since the last call.
     */
    public int available() throws CorruptRingException {
        long bytes = 0;
        boolean inRing = !spilled;
        if (spilled) {
            bytes = overflowLimit() - overflowHead;
            inRing = overflowEnd() == overflowHead + bytes && overflowEnd() > spillStart;
        }
        if (inRing) {
            bytes += availableInRing();
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    private long availableInRing() throws CorruptRingException {
        if (!countHolds()) {
            countedTo = head + (recordLength > 0 ? InboxLayout.linesOf(recordLength) : 0);
            counted = taken + (recordLength > 0 ? recordLength - consumed : 0);
        }
        while (countedTo - head < lines) {
            int position = advance(at, (int) (countedTo - head));
            long header = header(position);
            if (header == 0) {
                break;
            }
            if (header == RingSender.SPILLED) {
                return counted - taken + availableInOverflow();
            }
            if (header == RingSender.REWIND) {
                countedTo += linesToTheEnd(position);
            } else {
                counted += header;
                countedTo += InboxLayout.linesOf((int) header);
            }
        }
        return counted - taken;
    }

    /**
     * Whether the count covers the record at the head. The last condition holds for every honest sender: a record needs
     * more memory than it has bytes. A sender that rewrites headers after they were counted must not make the count
     * negative, or larger than the ring.
     */
    private boolean countHolds() {
        long bytes = counted - taken;
        return countedTo > head && bytes >= 0 && bytes <= (countedTo - head) * InboxLayout.LINE;
    }

    /** The bytes in the spill that the next record announces. */
    private long availableInOverflow() throws CorruptRingException {
        long tail = overflowTail();
        long start = Math.max(overflowHead, overflowEnd());
        if (start > tail) { // a spill begins where the one before it ended
            throw new CorruptRingException("overflow end", start, "0 to " + tail);
        }
        return tail - start;
    }

    /**
     * Whether a head has been published since the last call, other than the one at the end of a receive. Then a sleeping
     * writer may have room (ORDER-1).
     */
    public boolean takeProgress() {
        boolean was = progress;
        progress = false;
        return was;
    }

    /**
     * Whether the ring's head has been published since the last call. Then a sleeping writer of a message queue, which has
     * no overflow ring, may have room (ORDER-1).
     */
    public boolean takePublished() {
        boolean was = published;
        published = false;
        return was;
    }

    /** A header, checked: 0, SPILLED, a length that fits the ring, or REWIND unless at the first line (RING-8). */
    private long header(int position) throws CorruptRingException {
        return checked(local.getLongAcquire(InboxLayout.RING + position), position);
    }

    private long checked(long header, int position) throws CorruptRingException {
        long least = position == 0 ? RingSender.SPILLED : leastHeader;
        if (header < least || header > longest()) {
            throw new CorruptRingException("record length", header, least + " to " + longest());
        }
        return header;
    }

    /** The most bytes of a record that fits the ring. */
    private int longest() {
        return window - 2 * InboxLayout.LINE - RingSender.HEADER;
    }

    private int linesToTheEnd(int position) {
        return lines - position / InboxLayout.LINE;
    }

    private void consumeLines(int count) {
        head += count;
        at = advance(at, count);
        if (head - publishedHead >= lines >> 2) {
            publishHead();
            progress = true;
        }
    }

    private void publishHead() {
        publishedHead = head;
        published = true;
        remote.setLongRelease(InboxLayout.HEAD, head);
        Step.HEAD_PUBLISHED.reached();
    }

    private void get(int from, byte[] into, ByteBuffer buffer, int index, int length) {
        if (into != null) {
            local.get(from, into, index, length);
        } else {
            local.get(from, buffer, index, length);
        }
    }

    private int takeOverflow(byte[] into, ByteBuffer buffer, int offset, int length) throws CorruptRingException {
        long there = overflowLimit() - overflowHead;
        if (there == 0) {
            if (!overflowEnded()) {
                return 0;
            }
            spilled = false;
            return -1;
        }
        int n = (int) Math.min(length, there);
        int start = (int) (overflowHead & (overflow - 1));
        int first = Math.min(n, overflow - start);
        get(overflowBase + start, into, buffer, offset, first);
        if (first < n) {
            get(overflowBase, into, buffer, offset + first, n - first);
        }
        consumeOverflow(n, n == there);
        return n;
    }

    /** @param all whether these are all bytes that are known to be there (RING-6) */
    private void consumeOverflow(int bytes, boolean all) {
        overflowHead += bytes;
        if (all || overflowHead - publishedOverflowHead >= overflow >> 2) {
            publishedOverflowHead = overflowHead;
            remote.setLongRelease(InboxLayout.OVERFLOW_HEAD, overflowHead);
            progress = true;
        }
    }

    private long overflowTail() throws CorruptRingException {
        long tail = local.getLongAcquire(InboxLayout.OVERFLOW_TAIL);
        if (tail < knownOverflowTail || tail < overflowHead || tail - overflowHead > overflow) {
            throw new CorruptRingException("overflow tail", tail,
                    knownOverflowTail + " to " + (overflowHead + overflow));
        }
        knownOverflowTail = tail;
        return tail;
    }

    /** Where the present spill ends as far as is known: at its OVERFLOW_END, else at the tail. The tail is read first (RING-7). */
    private long overflowLimit() throws CorruptRingException {
        long tail = overflowTail();
        long end = overflowEnd();
        return end > spillStart ? end : tail;
    }

    private boolean overflowEnded() throws CorruptRingException {
        long end = overflowEnd();
        return end > spillStart && end == overflowHead;
    }

    private long overflowEnd() throws CorruptRingException {
        long end = local.getLongAcquire(InboxLayout.OVERFLOW_END);
        if (end < 0 || end > spillStart && (end < overflowHead || end > overflowHead + overflow)) {
            throw new CorruptRingException("overflow end", end, overflowHead + " to " + (overflowHead + overflow));
        }
        return end;
    }

    private int advance(int position, int count) {
        int next = position + count * InboxLayout.LINE;
        return next >= window ? next - window : next;
    }
}
