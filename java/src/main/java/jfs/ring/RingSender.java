package jfs.ring;

import java.nio.ByteBuffer;
import jfs.memory.Shared;
import jfs.spi.Claim;
import jfs.steps.Step;

/**
 * The sending half of one direction. One thread at a time uses it (under the socket's write lock). It never blocks.
 *
 * <h2>The ring</h2>
 * A ring of 64-byte lines that holds records. A record is a header word (8 bytes) and its bytes right behind, filling
 * as many lines as it needs; the next record starts on the next free line. The header is written last, with release,
 * and its line carries the first 56 bytes too, so a small payload crosses between the cores <em>with</em> the word
 * that announces it: one line, one transfer (the paper's inline protocol). There is no shared tail.
 *
 * <pre>
 *   header  0  nothing yet
 *          >0  that many bytes follow
 *          -1  (SPILLED) the stream goes on in the overflow ring
 *          -2  (REWIND) the stream goes on at the first line of the ring; from version 2 of the protocol on
 * </pre>
 *
 * <p>RING-1. The header word after the last published record is always 0 before that record is published: the sender
 * zeroes it first. So a receiver never takes an old payload for a header, whatever the payload was. For a record of one
 * line the sender has zeroed it in advance, after it published the record before. Stores become visible in order, so a
 * line that has to be fetched from the other core first would delay the record.
 * <br>RING-2. The sender writes a line only if the receiver has given it back: {@code 0 <= tail - head <= lines}. The
 * sender checks the receiver's head when it reads it, and accepts none that is less than the one before.
 * <br>RING-3. Data leaves two lines free, so the SPILLED record and the zero behind it always fit.
 *
 * <h2>The overflow ring</h2>
 * TCP over loopback takes about 4 MB with no reader, and programs depend on it (SWITCH-3). When the ring stays full the
 * sender {@linkplain #spill spills}: it puts bytes into the overflow ring, a plain byte ring with a tail word, and only
 * then publishes SPILLED (RING-4: a receiver that sees SPILLED sees the new tail). When the sender sees that the receiver
 * has drained the overflow ring, it publishes that tail as OVERFLOW_END and goes on in the ring. The receiver goes back to the
 * ring when it arrives at OVERFLOW_END. The pages are given back then.
 *
 * <p>RING-7. The sender publishes OVERFLOW_END before any byte of a later spill, and a spill has at least a byte. So a receiver
 * that sees a tail sees the OVERFLOW_END before it. The receiver tells the OVERFLOW_END of the present spill from the previous
 * one, because it lies behind the place where the receiver entered the overflow ring. There is never more than one OVERFLOW_END
 * ahead of the receiver: the sender publishes the next one only when the receiver has drained the next spill.
 *
 * <h2>Beginning again</h2>
 * A stream that walks through the whole ring makes all its pages resident, however little is sent at a time. So a sender
 * whose {@link Pace} is light goes back to the first line after {@link #LAP} bytes. It publishes REWIND. The lines from there
 * to the end of the ring then count as sent, and the receiver that sees REWIND counts them as consumed. So a light connection
 * keeps only a lap and its longest write resident.
 *
 * <p>RING-8. The header word of the first line is 0 before REWIND is published (RING-1), and that line was free (RING-2). No REWIND is at
 * the first line. A receiver that finds one there has a peer that breaks the protocol, and would follow it for ever.
 */
public final class RingSender {

    static final int HEADER = 8;
    /** The most bytes of a record that takes one line. */
    static final int IN_LINE = InboxLayout.LINE - HEADER;
    static final long SPILLED = -1;
    static final long REWIND = -2;
    /** After so many bytes a sender considers to begin again at the first line. In a small ring: after a quarter of it. */
    public static final int LAP = 32 << 10;
    /** The lines that data leaves free (RING-3). */
    static final int SLACK = 2;

    /** The peer's inbox, which this end writes. */
    private final Shared remote;
    /** The inbox of this end, in which the peer publishes its heads. */
    private final Shared local;
    private final int window;
    private final int lines;
    private final int overflow;
    private final int overflowBase;
    /** The most bytes of a record. Any thread may change it. */
    private int chunk;
    private final int lapLines;
    /** Whether the peer's receiver knows REWIND. */
    private final boolean rewinds;
    private final Pace pace;

    private long tail;
    /** The position of {@code tail} within the ring, in bytes. */
    private int at;
    private long knownHead;
    /** A line behind the tail whose header word is 0 already. The header word of the tail's own line is always 0. */
    private long zeroed;
    /** The tail at the last claim. */
    private long claimedAt = -1;
    private boolean spilled;
    private long overflowTail;
    private long knownOverflowHead;
    private long overflowFloor;
    /** From this tail on the sender asks the pace again. */
    private long nextLap;
    /** The tail when the stream last began again at the first line, or had its free pages given back. */
    private long lapStart;
    /** The longest lap, in lines, since the free pages were last given back. The present lap does not count. */
    private long longestLap;

    /** Tells whether a stream is light. For a light stream, saving memory is worth more than the last nanosecond. */
    public interface Pace {

        /** Called by the sending thread once for each {@link #LAP} bytes or more; must not block. */
        boolean isLight();
    }

    /** A stream that always goes through the whole ring, as those of message queues do. */
    public RingSender(Shared remote, Shared local, int window, int overflow, int longMin) {
        this(remote, local, window, overflow, longMin, false, () -> false);
    }

    /**
     * @param remote the peer's inbox
     * @param local the inbox of this end
     * @param longMin writes of at least this many bytes go as several records, so that the receiver copies the first
     *            while the sender copies the next (the paper's long protocol)
     * @param rewinds whether this stream may begin again at the first line: the peer's receiver has to know REWIND
     * @param pace tells when the stream begins again
     */
    public RingSender(Shared remote, Shared local, int window, int overflow, int longMin, boolean rewinds, Pace pace) {
        this.remote = remote;
        this.local = local;
        this.window = window;
        this.lines = window / InboxLayout.LINE;
        this.overflow = overflow;
        this.overflowBase = InboxLayout.RING + window;
        longMin(longMin);
        this.lapLines = Math.min(LAP / InboxLayout.LINE, lines >> 2);
        this.rewinds = rewinds;
        this.pace = pace;
        this.nextLap = lapLines;
    }

    /** From now on that is the border of the long protocol, bytes. Any thread, at any time: it takes effect in one of the next writes. */
    public void longMin(int bytes) {
        chunk = InboxLayout.chunk(window, bytes);
    }

    /**
     * Sends as much as fits. No record is published in part, so all bytes that the result counts will be received.
     *
     * @return bytes taken, 0 if there is no room
     * @throws CorruptRingException if the peer's head is impossible
     */
    public int send(byte[] from, int offset, int length) throws CorruptRingException {
        return send(from, null, offset, length);
    }

    /** As {@link #send(byte[], int, int)}, from a buffer of any kind. Its position and limit stay as they are, and do not count. */
    public int send(ByteBuffer from, int offset, int length) throws CorruptRingException {
        return send(null, from, offset, length);
    }

    /** The JIT compiles this method on its own (JIT-1). @param from where the bytes are; if null, they are in {@code buffer} */
    private int send(byte[] from, ByteBuffer buffer, int offset, int length) throws CorruptRingException {
        if (spilled) {
            if (overflowHead() != overflowTail) {
                return putOverflow(from, buffer, offset, length);
            }
            unspill();
        }
        if (tail >= nextLap) {
            endLap(length);
        }
        int sent = 0;
        while (sent < length) {
            int part = Math.min(length - sent, chunk);
            int need = InboxLayout.linesOf(part);
            long free = lines - (tail - knownHead) - SLACK;
            if (free < need) {
                free = lines - (tail - head()) - SLACK;
                if (free < need) {
                    if (free < 1) {
                        break;
                    }
                    part = Math.min(part, (int) free * InboxLayout.LINE - HEADER);
                    need = InboxLayout.linesOf(part);
                }
            }
            int next = advance(at, need);
            if (tail + need != zeroed) {
                remote.setLong(InboxLayout.RING + next, 0); // RING-1
            }
            int start = at + HEADER;
            int first = Math.min(part, window - start);
            put(InboxLayout.RING + start, from, buffer, offset + sent, first);
            if (first < part) {
                put(InboxLayout.RING, from, buffer, offset + sent + first, part - first);
            }
            Step.RECORD_WRITTEN.reached();
            remote.setLongRelease(InboxLayout.RING + at, part);
            tail += need;
            at = next;
            zeroAhead();
            Step.RECORD_PUBLISHED.reached();
            sent += part;
        }
        return sent;
    }

    /**
     * The short way of {@link #send}. It sends bytes that take one line, if the head that is known has room for them and the
     * header behind them is 0 already (RING-1). {@link #zeroAhead} then zeroes the header that the next call needs.
     *
     * @return false if the short way does not apply; then nothing was sent
     */
    public boolean sendLine(byte[] from, int offset, int length) {
        if (length <= 0 || length > IN_LINE || spilled || tail + 1 != zeroed || lines - (tail - knownHead) <= SLACK) {
            return false;
        }
        remote.put(InboxLayout.RING + at + HEADER, from, offset, length);
        Step.RECORD_WRITTEN.reached();
        remote.setLongRelease(InboxLayout.RING + at, length);
        tail++;
        at = advance(at, 1);
        Step.RECORD_PUBLISHED.reached();
        return true;
    }

    /**
     * Gives the caller a piece of the ring for the bytes of the next record, which {@link #commit} publishes. The piece begins behind the
     * header word, at a multiple of 8. One that does not fit in front of the ring's end is at the first line (REWIND).
     *
     * @param most bytes at most. A piece is not longer than a record of the long protocol, or than {@code least}, which is above 0
     * @return false if there is no such piece now
     */
    public boolean claim(Claim into, int least, int most) throws CorruptRingException {
        if (spilled) {
            if (overflowHead() != overflowTail) {
                return false;
            }
            unspill();
        }
        if (tail >= nextLap) {
            endLap(most);
        }
        if (window - at - HEADER < least && !claimsFirstLine(least)) {
            return false;
        }
        int wanted = Math.min(Math.min(most, Math.max(chunk, least)), window - at - HEADER);
        long free = lines - (tail - knownHead) - SLACK;
        if (free < InboxLayout.linesOf(wanted)) {
            free = lines - (tail - head()) - SLACK;
        }
        int length = (int) Math.min(wanted, free * InboxLayout.LINE - HEADER);
        if (length < least) {
            return false;
        }
        zeroed = -1; // the caller may write over the header that was zeroed in advance, and then commit less
        claimedAt = tail;
        remote.show(into, InboxLayout.RING + at + HEADER, length);
        return true;
    }

    /** Goes on at the first line, if the stream may do so and a record of so many bytes fits in front of the tail. */
    private boolean claimsFirstLine(int bytes) throws CorruptRingException {
        if (!rewinds || bytes >= window || at / InboxLayout.LINE - (tail - head()) - SLACK < InboxLayout.linesOf(bytes)) {
            return false;
        }
        rewind();
        return true;
    }

    /** Publishes the first bytes of the piece that {@link #claim} has given, as a record. @param bytes 1 to the length of the piece */
    public void commit(int bytes) {
        if (tail != claimedAt) { // CLAIM-2
            throw new IllegalStateException("other bytes were sent since the claim, and have taken its place");
        }
        int need = InboxLayout.linesOf(bytes);
        int next = advance(at, need);
        remote.setLong(InboxLayout.RING + next, 0); // RING-1
        Step.RECORD_WRITTEN.reached();
        remote.setLongRelease(InboxLayout.RING + at, bytes);
        tail += need;
        at = next;
        zeroAhead();
        Step.RECORD_PUBLISHED.reached();
    }

    /** Whether {@link #send} or {@link #spill} would take at least a byte. */
    public boolean canTakeOrSpill() throws CorruptRingException {
        return !spilled || hasRoom(); // a sender that has not spilled has the whole overflow ring left
    }

    /** The bytes of the ring. The overflow ring is not included. */
    public int ringBytes() {
        return window;
    }

    /** Whether {@link #send} would take at least a byte. */
    public boolean hasRoom() throws CorruptRingException {
        if (spilled) {
            long head = overflowHead();
            return head == overflowTail || overflowTail - head < overflow;
        }
        return lines - (tail - knownHead) - SLACK >= 1 || lines - (tail - head()) - SLACK >= 1;
    }

    /** The offset in bytes of the word in which the peer publishes its head of the ring that this sender is in. */
    public int headWord() {
        return spilled ? InboxLayout.OVERFLOW_HEAD : InboxLayout.HEAD;
    }

    /** The value of the word at {@link #headWord} at the last look. */
    public long lastHead() {
        return spilled ? knownOverflowHead : knownHead;
    }

    /**
     * Goes on in the overflow ring because the ring has stayed full.
     *
     * @return bytes taken; 0 if the sender is in the overflow ring already and that is full too
     * @throws CorruptRingException if the peer's heads are impossible
     */
    public int spill(byte[] from, int offset, int length) throws CorruptRingException {
        return spill(from, null, offset, length);
    }

    /** As {@link #spill(byte[], int, int)}, from a buffer of any kind. Its position and limit stay as they are, and do not count. */
    public int spill(ByteBuffer from, int offset, int length) throws CorruptRingException {
        return spill(null, from, offset, length);
    }

    private int spill(byte[] from, ByteBuffer buffer, int offset, int length) throws CorruptRingException {
        if (spilled) {
            return putOverflow(from, buffer, offset, length);
        }
        if (lines - (tail - knownHead) < 2) { // RING-3: the receiver has drained the last spill, so it has consumed its SPILLED record
            throw new CorruptRingException("head", knownHead, "at least " + (tail + 2 - lines));
        }
        overflowFloor = overflowTail;
        int taken = putOverflow(from, buffer, offset, length);
        Step.SPILL_WRITTEN.reached();
        spilled = true;
        int next = advance(at, 1);
        remote.setLong(InboxLayout.RING + next, 0); // RING-1
        remote.setLongRelease(InboxLayout.RING + at, SPILLED);
        tail++;
        at = next;
        Step.SPILL_PUBLISHED.reached();
        return taken;
    }

    /** Begins again at the first line if the stream is light and the next write, of that length, fits in front of the tail. */
    private void endLap(int length) throws CorruptRingException {
        nextLap = tail + lapLines;
        if (!pace.isLight() || !rewinds || length >= window) {
            return;
        }
        long room = at / InboxLayout.LINE - (tail - head()) - SLACK;
        if (room >= linesOfWrite(length, chunk)) {
            rewind();
        }
    }

    private int linesOfWrite(int length, int record) {
        return length / record * InboxLayout.linesOf(record) + InboxLayout.linesOf(length % record);
    }

    private void rewind() {
        remote.setLong(InboxLayout.RING, 0); // RING-8
        remote.setLongRelease(InboxLayout.RING + at, REWIND);
        longestLap = Math.max(longestLap, tail - lapStart);
        tail += lines - at / InboxLayout.LINE;
        at = 0;
        lapStart = tail;
        nextLap = tail + lapLines;
    }

    /**
     * Zeroes the header behind the tail's in advance, if its line is free (RING-2) by the head that is known. After {@link
     * #sendLine} the caller first wakes the receiver, then calls this. The line is in the other core's cache, and the fence of
     * the wake-up would wait for it.
     */
    public void zeroAhead() {
        if (tail + 1 - knownHead < lines) {
            zeroed = tail + 1;
            remote.setLong(InboxLayout.RING + advance(at, 1), 0);
        }
    }

    private int putOverflow(byte[] from, ByteBuffer buffer, int offset, int length) throws CorruptRingException {
        int room = overflow - (int) (overflowTail - overflowHead());
        int taken = Math.min(room, length);
        if (taken == 0) {
            return 0;
        }
        int start = (int) (overflowTail & (overflow - 1));
        int first = Math.min(taken, overflow - start);
        put(overflowBase + start, from, buffer, offset, first);
        if (first < taken) {
            put(overflowBase, from, buffer, offset + first, taken - first);
        }
        overflowTail += taken;
        remote.setLongRelease(InboxLayout.OVERFLOW_TAIL, overflowTail);
        return taken;
    }

    private void put(int at, byte[] from, ByteBuffer buffer, int index, int length) {
        if (from != null) {
            remote.put(at, from, index, length);
        } else {
            remote.put(at, buffer, index, length);
        }
    }

    /** Publishes OVERFLOW_END. The receiver has drained the overflow ring, so it finds its own place there and returns to the ring. */
    private void unspill() {
        remote.setLongRelease(InboxLayout.OVERFLOW_END, overflowTail);
        spilled = false;
        Step.SPILL_ENDED.reached();
    }

    /**
     * How many bytes of the overflow ring's memory are drained and can be given back to the kernel. They are reported once.
     *
     * @return 0 unless a spill has ended since the last call
     */
    public long takeDrainedOverflow() {
        long bytes = spilled ? 0 : overflowTail - overflowFloor;
        if (bytes > 0) {
            overflowFloor = overflowTail;
        }
        return bytes;
    }

    /**
     * About how many bytes of the peer's inbox this sender has made resident since its free pages were last given back. The
     * control words and the page of the tail are not included.
     */
    public int touched() {
        long ring = Math.min(lines, Math.max(longestLap, tail - lapStart)) * InboxLayout.LINE;
        return (int) (ring + Math.min(overflow, overflowTail - overflowFloor));
    }

    /** Receives a piece of the peer's inbox that holds nothing. Offset and length are in bytes and cover whole pages. */
    public interface FreePages {
        void at(int offset, int length);
    }

    /**
     * Tells which pages hold nothing any more, so that an idle connection can give them back: the consumed part of the ring,
     * and the overflow ring once it is drained. A page that was given back reads as zero, which RING-1 needs. The page of the
     * tail stays, so that a next small message finds warm memory.
     */
    public void freePages(FreePages free) throws CorruptRingException {
        if (spilled && overflowHead() == overflowTail) {
            unspill();
        }
        if (takeDrainedOverflow() > 0) {
            free.at(overflowBase, overflow);
        }
        long used = tail - head();
        int from = pageUp(at + 2 * InboxLayout.LINE); // the tail's header and the one zeroed in advance
        int to = pageDown(at + window - (int) used * InboxLayout.LINE);
        // [from, to) may reach past the ring's end. The part past the end is at the ring's beginning.
        if (from < Math.min(to, window)) {
            free.at(InboxLayout.RING + from, Math.min(to, window) - from);
        }
        int again = Math.max(from - window, 0);
        if (again < to - window) {
            free.at(InboxLayout.RING + again, to - window - again);
        }
        lapStart = head();
        longestLap = 0;
    }

    private static int pageUp(int bytes) {
        return pageDown(bytes + InboxLayout.PAGE - 1);
    }

    private static int pageDown(int bytes) {
        return bytes / InboxLayout.PAGE * InboxLayout.PAGE;
    }

    private long head() throws CorruptRingException {
        long head = local.getLongAcquire(InboxLayout.HEAD);
        if (head < knownHead || head > tail) {
            throw new CorruptRingException("head", head, knownHead + " to " + tail);
        }
        knownHead = head;
        return head;
    }

    private long overflowHead() throws CorruptRingException {
        long head = local.getLongAcquire(InboxLayout.OVERFLOW_HEAD);
        if (head < knownOverflowHead || head > overflowTail) {
            throw new CorruptRingException("overflow head", head, knownOverflowHead + " to " + overflowTail);
        }
        knownOverflowHead = head;
        return head;
    }

    private int advance(int position, int count) {
        int next = position + count * InboxLayout.LINE;
        return next >= window ? next - window : next;
    }
}
