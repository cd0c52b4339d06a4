package jfs.ring;

import jfs.memory.Shared;

/**
 * The control words of one inbox (drawn in {@link InboxLayout}), under the names that the protocol uses. The inbox's owner calls the
 * methods that read, the other end calls the methods that write. Each access has the memory order that the word's role needs.
 */
public final class Inbox {

    private final Shared memory;
    private final AsleepWord reader;
    private final AsleepWord writer;

    /** @param memory the inbox, {@link InboxLayout#inboxBytes} long */
    public Inbox(Shared memory) {
        this.memory = memory;
        this.reader = new AsleepWord(memory, InboxLayout.READER_ASLEEP);
        this.writer = new AsleepWord(memory, InboxLayout.WRITER_ASLEEP);
    }

    public Shared memory() {
        return memory;
    }

    // Written once by the region's creator, before it is offered.

    public void initialise(int version, int window, int overflow, long nonce) {
        memory.setInt(InboxLayout.VERSION, version);
        memory.setInt(InboxLayout.WINDOW, window);
        memory.setInt(InboxLayout.OVERFLOW, overflow);
        memory.setLong(InboxLayout.NONCE, nonce);
        memory.setLongRelease(InboxLayout.MAGIC, InboxLayout.MAGIC_VALUE);
    }

    /** Whether this is the inbox that an offer describes. */
    public boolean matches(int version, int window, int overflow, long nonce) {
        return memory.getLongAcquire(InboxLayout.MAGIC) == InboxLayout.MAGIC_VALUE
                && memory.getInt(InboxLayout.VERSION) == version
                && memory.getInt(InboxLayout.WINDOW) == window
                && memory.getInt(InboxLayout.OVERFLOW) == overflow
                && memory.getLong(InboxLayout.NONCE) == nonce;
    }

    /** The nonce. The sender of a message queue learns it from here. */
    public long nonce() {
        return memory.getLong(InboxLayout.NONCE);
    }

    public void setDoorbell(int interrupt) {
        memory.setInt(InboxLayout.DOORBELL, interrupt);
    }

    /** The interrupt number. The caller has called {@link #matches} before, whose acquire orders this plain load. */
    public int doorbell() {
        return memory.getInt(InboxLayout.DOORBELL);
    }

    /** Makes the owner of that segment the queue's sender. @return false if the queue has a sender already */
    public boolean claim(int segmentId) {
        return memory.compareAndSetInt(InboxLayout.SENDER, 0, segmentId);
    }

    /** @return the id of the sender's segment, or 0 */
    public int sender() {
        return memory.getIntAcquire(InboxLayout.SENDER);
    }

    // The word PLACE (PLACE-1) in the connecting end's inbox. A step that either end may take is a compare-and-set. Only the region's
    // owner offers a place, and only the end that leaves last frees it. So these two steps are releasing stores.

    /** The value of PLACE for an offer with that nonce. The highest bit makes it differ from all other values of the word. */
    private static long offered(long nonce) {
        return nonce | Long.MIN_VALUE;
    }

    /** Whether neither process uses the place. If so, the caller sees all that the end which left last has cleared. */
    public boolean isPlaceFree() {
        return memory.getLongAcquire(InboxLayout.PLACE) == InboxLayout.FREE;
    }

    public void offerPlace(long nonce) {
        memory.setLongRelease(InboxLayout.PLACE, offered(nonce));
    }

    /** @return false if this offer has ended */
    public boolean joinPlace(long nonce) {
        return memory.compareAndSetLong(InboxLayout.PLACE, offered(nonce), InboxLayout.JOINED);
    }

    public boolean wasPlaceJoined() {
        return memory.getLongAcquire(InboxLayout.PLACE) > InboxLayout.FREE;
    }

    /** Ends an offer. @return false if the peer has joined it before */
    public boolean withdrawPlace(long nonce) {
        return memory.compareAndSetLong(InboxLayout.PLACE, offered(nonce), InboxLayout.LEFT);
    }

    /** @return false if the other end has left already */
    public boolean leavePlaceFirst() {
        return memory.compareAndSetLong(InboxLayout.PLACE, InboxLayout.JOINED, InboxLayout.LEFT);
    }

    /** Clears the ring's first header and all words but PLACE and BELL_RUNG, as in a new inbox. Called by the end that leaves last. */
    public void clear() {
        for (int word = 0; word <= InboxLayout.RING; word += Long.BYTES) {
            if (word != InboxLayout.PLACE && word != InboxLayout.BELL_RUNG) {
                memory.setLong(word, 0);
            }
        }
    }

    /** Called after {@link #clear}. */
    public void freePlace() {
        memory.setLongRelease(InboxLayout.PLACE, InboxLayout.FREE);
    }

    /** The word about the bell of the process that reads this inbox. It is in the inboxes of a region's first place. */
    public BellWord bell() {
        return new BellWord(memory);
    }

    // Written by the other end.

    public void setSwitched(long count) {
        memory.setLongRelease(InboxLayout.SWITCHED, count + 1);
    }

    public void setEnded(boolean reset) {
        memory.setIntRelease(InboxLayout.ENDED, reset ? InboxLayout.RESET : InboxLayout.FIN);
    }

    public void setReceiver(boolean ready, boolean oobInline, boolean closed) {
        memory.setIntRelease(InboxLayout.RECEIVER, (ready ? InboxLayout.READY : 0)
                | (oobInline ? InboxLayout.OOB_INLINE : 0) | (closed ? InboxLayout.CLOSED : 0));
    }

    /**
     * Sets {@link InboxLayout#CLOSED} unless it is set already. Called by an end that leaves, when no other thread of that end writes this
     * word any more.
     */
    public void closeReceiver() {
        int said = memory.getInt(InboxLayout.RECEIVER);
        if ((said & InboxLayout.CLOSED) == 0) {
            memory.setIntRelease(InboxLayout.RECEIVER, said | InboxLayout.CLOSED);
        }
    }

    // Read by the owner.

    /** @return the count of bytes over TCP, or -1 if the peer has not switched */
    public long switched() {
        return memory.getLongAcquire(InboxLayout.SWITCHED) - 1;
    }

    /**
     * Looks until a header is not 0, the stream {@linkplain #ended has ended}, or the time is over. {@link jfs.nativelib.Words#awaitChange}
     * describes the other parameters and the result.
     *
     * @param header offset of the header in bytes
     */
    public long watchForNews(int header, long nanos, long alone, long lost) {
        return memory.watch(header, 0, InboxLayout.ENDED, 0, nanos, alone, lost);
    }

    /**
     * As {@link #watchForNews}, but looks until a head word or the word of the peer's receiver holds another value.
     *
     * @param headWord offset of the head word in bytes
     * @param head the known value of the head word
     * @param receiver what {@link #receiver} has returned
     */
    public long watchForRoom(int headWord, long head, int receiver, long nanos, long alone, long lost) {
        return memory.watch(headWord, head, InboxLayout.RECEIVER, receiver, nanos, alone, lost);
    }

    /** The whole word RECEIVER. {@link #receiverClosed} and others read one bit of it. */
    public int receiver() {
        return memory.getIntAcquire(InboxLayout.RECEIVER);
    }

    public boolean ended() {
        return memory.getIntAcquire(InboxLayout.ENDED) != 0;
    }

    public boolean endedByReset() {
        return memory.getIntAcquire(InboxLayout.ENDED) == InboxLayout.RESET;
    }

    public boolean receiverReady() {
        return (memory.getIntAcquire(InboxLayout.RECEIVER) & InboxLayout.READY) != 0;
    }

    public boolean receiverTakesUrgent() {
        return (memory.getIntAcquire(InboxLayout.RECEIVER) & InboxLayout.OOB_INLINE) != 0;
    }

    public boolean receiverClosed() {
        return (memory.getIntAcquire(InboxLayout.RECEIVER) & InboxLayout.CLOSED) != 0;
    }

    // The other end announces its threads in these words, and the owner takes the announcements.

    /** The word of the other end's reader. */
    public AsleepWord reader() {
        return reader;
    }

    /** The word of the other end's writer. */
    public AsleepWord writer() {
        return writer;
    }
}
