package jfs.ring;

import jfs.memory.Shared;
import jfs.steps.Step;

/**
 * The receiving half of one direction; the protocol is described at {@link RingSender}. Used by one thread at a time
 * (under the socket's read lock); never blocks. Everything read from shared memory is copied once and then checked.
 *
 * <p>RING-5. The head is published when a quarter of the ring has been consumed since the last time, so a sender that
 * finds less than that free is never kept waiting by a receiver that has nothing left to read; and at the end of a
 * receive when it is a page behind, so that the sender of an idle connection can give all but that back.
 * <br>RING-6. The overflow ring's head is published at each quarter and whenever that ring is empty: the sender returns to
 * the ring only when it sees it drained.
 */
public final class RingReceiver {

    private final Shared local;
    private final Shared remote;
    private final int window;
    private final int lines;
    /** Lines that a short receive leaves unpublished at most (RING-5). */
    private final int lag;
    private final int overflow;
    private final int overflowBase;
    /** The least header that the peer's protocol has. */
    private final long leastHeader;

    private long head;
    /** {@code head} within the ring, bytes. */
    private int at;
    private long publishedHead;
    /** Of the record at the head: its bytes, how many are consumed. {@code recordLength} 0: not opened yet. */
    private int recordLength;
    private int consumed;
    private boolean spilled;
    /** Where the spill that we are in began. */
    private long spillStart;
    private long overflowHead;
    private long publishedOverflowHead;
    private long knownOverflowTail;
    private boolean progress;
    private boolean published;

    /** Bytes ever taken out of records. */
    private long taken;
    // What available() has counted: all records before this line, which hold so many bytes that are, or were, to be taken.
    private long countedTo;
    private long counted;

    /** Of a stream that never begins again at the first line, as those of message queues. */
    public RingReceiver(Shared local, Shared remote, int window, int overflow) {
        this(local, remote, window, overflow, false);
    }

    /**
     * @param local our own inbox
     * @param remote the peer's inbox, for our head words
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
     * Takes what is there, or what comes at once. Compiled on its own (JIT-1).
     *
     * @param looks for the first record, at most, with a pause between two; the overflow ring is looked at once
     * @return bytes received, 0 if there are none now
     * @throws CorruptRingException if the peer wrote what no sender writes
     */
    public int receive(byte[] into, int offset, int length, int looks) throws CorruptRingException {
        int received = 0;
        while (received < length) {
            if (spilled) {
                int n = takeOverflow(into, offset + received, length - received);
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
            local.get(InboxLayout.RING + start, into, offset + received, first);
            if (first < n) {
                local.get(InboxLayout.RING, into, offset + received + first, n - first);
            }
            received += n;
            consumed += n;
            taken += n;
            if (consumed == recordLength) {
                int count = RingSender.lines(recordLength);
                recordLength = 0;
                consumeLines(count);
            }
        }
        if (head - publishedHead >= InboxLayout.PAGE / InboxLayout.LINE) {
            publishHead(); // no progress for a sleeping writer: that one waits for the overflow ring (RING-6)
        }
        return received;
    }

    /** The stream goes on elsewhere. */
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
     * The short way of {@link #receive}: a record of one line that is just what is asked for, after which no head is due.
     * Its header needs no check but that it is the caller's own number. All else is asked before that comes: what is done
     * after it delays the answer.
     *
     * @param looks for it, at most, with a pause between two
     * @return false if it does not apply, and nothing was received
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

    /** What is there instead of 0 after so many looks at most. */
    private static long firstHeader(Shared local, int record, int looks) {
        long header = local.getLongAcquire(record);
        for (int left = looks - 1; header == 0 && left > 0; left--) {
            Thread.onSpinWait();
            header = local.getLongAcquire(record);
        }
        return header;
    }

    /** Whether {@link #receive} has something to look at: cheap, for polling. */
    public boolean hasNews() throws CorruptRingException {
        if (spilled) {
            return overflowTail() != overflowHead || overflowEnded();
        }
        return recordLength > 0 || local.getLongAcquire(InboxLayout.RING + at) != 0;
    }

    /**
     * Where the header is, bytes, whose first value but 0 is the next news; only when {@link #receive} has given nothing.
     *
     * @return -1 if other words tell of them
     */
    public int nextHeader() {
        return spilled || recordLength > 0 ? -1 : InboxLayout.RING + at;
    }

    /**
     * Bytes that {@link #receive} would give now. Counts each record once, so the cost of a call is that of the records
     * that have come since the last one.
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
            countedTo = head + (recordLength > 0 ? RingSender.lines(recordLength) : 0);
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
                countedTo += RingSender.lines((int) header);
            }
        }
        return counted - taken;
    }

    /**
     * Whether the count covers the record at the head. The last condition holds for every honest sender: a record needs
     * more memory than it has bytes. One that rewrites headers after they were counted must not make the count negative,
     * or larger than the ring.
     */
    private boolean countHolds() {
        long bytes = counted - taken;
        return countedTo > head && bytes >= 0 && bytes <= (countedTo - head) * InboxLayout.LINE;
    }

    /** In the spill that the next record announces. */
    private long availableInOverflow() throws CorruptRingException {
        long tail = overflowTail();
        long start = Math.max(overflowHead, overflowEnd());
        if (start > tail) { // a spill begins where the one before it ended
            throw new CorruptRingException("overflow end", start, "0 to " + tail);
        }
        return tail - start;
    }

    /** Whether a head word has been published since the last call: then a sleeping writer may have room (ORDER-1). */
    public boolean takeProgress() {
        boolean was = progress;
        progress = false;
        return was;
    }

    /**
     * Whether the ring's head has been published since the last call: then a sleeping writer that has no overflow ring,
     * in a message queue, may have room (ORDER-1).
     */
    public boolean takePublished() {
        boolean was = published;
        published = false;
        return was;
    }

    /** A header, checked: 0, SPILLED, REWIND (but at the first line, RING-8), or a length that fits the ring. */
    private long header(int position) throws CorruptRingException {
        return checked(local.getLongAcquire(InboxLayout.RING + position), position);
    }

    private long checked(long header, int position) throws CorruptRingException {
        long least = position == 0 ? RingSender.SPILLED : leastHeader;
        if (header < least || header > window - 2 * InboxLayout.LINE - RingSender.HEADER) {
            throw new CorruptRingException("record length", header,
                    least + " to " + (window - 2 * InboxLayout.LINE - RingSender.HEADER));
        }
        return header;
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

    private int takeOverflow(byte[] into, int offset, int length) throws CorruptRingException {
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
        local.get(overflowBase + start, into, offset, first);
        if (first < n) {
            local.get(overflowBase, into, offset + first, n - first);
        }
        overflowHead += n;
        if (n == there || overflowHead - publishedOverflowHead >= overflow >> 2) {
            publishedOverflowHead = overflowHead;
            remote.setLongRelease(InboxLayout.OVERFLOW_HEAD, overflowHead);
            progress = true;
        }
        return n;
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

    /** Up to where this spill goes as far as is known: its END, else the tail (read first, RING-7). */
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
