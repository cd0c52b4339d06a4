package jfs.ring;

import jfs.memory.Shared;

/**
 * The control words of one inbox (drawn in {@link InboxLayout}), under the names that the protocol uses. Its owner
 * calls the readers, the other end the writers; every access is ordered as the word's role asks for.
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

    /** Whether this is the inbox that an offer promised. */
    public boolean matches(int version, int window, int overflow, long nonce) {
        return memory.getLongAcquire(InboxLayout.MAGIC) == InboxLayout.MAGIC_VALUE
                && memory.getInt(InboxLayout.VERSION) == version
                && memory.getInt(InboxLayout.WINDOW) == window
                && memory.getInt(InboxLayout.OVERFLOW) == overflow
                && memory.getLong(InboxLayout.NONCE) == nonce;
    }

    /** Of a message queue, whose sender learns the nonce here. */
    public long nonce() {
        return memory.getLong(InboxLayout.NONCE);
    }

    public void setDoorbell(int interrupt) {
        memory.setInt(InboxLayout.DOORBELL, interrupt);
    }

    /** What {@link #matches} has covered. */
    public int doorbell() {
        return memory.getInt(InboxLayout.DOORBELL);
    }

    /** Makes the owner of that segment the queue's sender; false if it has one. */
    public boolean claim(int segmentId) {
        return memory.compareAndSetInt(InboxLayout.SENDER, 0, segmentId);
    }

    /** @return the id of the sender's segment, or 0 */
    public int sender() {
        return memory.getIntAcquire(InboxLayout.SENDER);
    }

    // The word PLACE (PLACE-1), of the connecting end's inbox. Steps that both ends may take are compare-and-sets. Only the owner offers a
    // place, and only the end that leaves last frees it, so these two are releasing stores.

    /** An offer's nonce, made unlike all other values of the word. */
    private static long offered(long nonce) {
        return nonce | Long.MIN_VALUE;
    }

    /** Everything that the one who left last has cleared is seen as cleared, if so. */
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

    /** By the last one who leaves: all words but PLACE and BELL_RUNG, and the ring's first header, are as those of a new inbox. */
    public void clear() {
        for (int word = 0; word <= InboxLayout.RING; word += Long.BYTES) {
            if (word != InboxLayout.PLACE && word != InboxLayout.BELL_RUNG) {
                memory.setLong(word, 0);
            }
        }
    }

    /** After {@link #clear}. */
    public void freePlace() {
        memory.setLongRelease(InboxLayout.PLACE, InboxLayout.FREE);
    }

    /** Of a region's first place: about the bell of the process that reads this inbox. */
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

    /** {@link InboxLayout#CLOSED}, if it has not been said: by an end that leaves, when nobody else of it writes this word any more. */
    public void closeReceiver() {
        int said = memory.getInt(InboxLayout.RECEIVER);
        if ((said & InboxLayout.CLOSED) == 0) {
            memory.setIntRelease(InboxLayout.RECEIVER, said | InboxLayout.CLOSED);
        }
    }

    // Read by the owner.

    /** @return the count, or -1 */
    public long switched() {
        return memory.getLongAcquire(InboxLayout.SWITCHED) - 1;
    }

    /**
     * Looks until a header holds something, or the stream {@linkplain #ended has ended}, or for a time in nanoseconds:
     * {@link jfs.nativelib.Words#watch} has the other parameters and the result.
     *
     * @param header where it is, bytes
     */
    public long watchForNews(int header, long nanos, long alone, long lost) {
        return memory.watch(header, 0, InboxLayout.ENDED, 0, nanos, alone, lost);
    }

    /**
     * The same until a head holds another value, or what the peer's receiver says does.
     *
     * @param headWord where it is, bytes
     * @param receiver what {@link #receiver} has given
     */
    public long watchForRoom(int headWord, long head, int receiver, long nanos, long alone, long lost) {
        return memory.watch(headWord, head, InboxLayout.RECEIVER, receiver, nanos, alone, lost);
    }

    /** The word that {@link #receiverClosed} and others read, as it is. */
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

    // Announced by the other end, taken by the owner.

    /** Of the other end's reader. */
    public AsleepWord reader() {
        return reader;
    }

    /** Of the other end's writer. */
    public AsleepWord writer() {
        return writer;
    }
}
