package jfs.transport.sci;

import java.util.concurrent.TimeUnit;
import jfs.ring.CorruptRingException;
import jfs.ring.InboxLayout;
import jfs.ring.RingSender;

/**
 * How much of the peer's inbox this end's sender keeps resident, and when it gives pages back. It also is the {@link RingSender.Pace} of
 * the sender. Used under the write lock. Makes system calls, but does not wait.
 */
final class SenderMemory implements RingSender.Pace {

    /** Giving back fewer drained bytes than this is not worth a system call. */
    private static final int RELEASE_MIN = 64 << 10;
    /** A sender that takes longer than this for a lap of the ring is light: below 6.5 MB/s, saving pages costs it nothing measurable. */
    private static final long LIGHT_LAP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final SciResources resources;
    private final MemoryBudget memory;
    /** Where the overflow ring begins in the peer's inbox, and its length, bytes. */
    private final int overflowOffset;
    private final int overflow;
    /** Set once, before the first byte is sent. */
    private RingSender sender;

    private long lapEnded = System.nanoTime();
    /** The bytes that have been sent, and those at the last {@link #trim}. */
    private long sent;
    private long sentAtLastLook;

    /** @param memory the budget of which the resources have a share */
    SenderMemory(SciResources resources, MemoryBudget memory, int overflowOffset, int overflow) {
        this.resources = resources;
        this.memory = memory;
        this.overflowOffset = overflowOffset;
        this.overflow = overflow;
    }

    /** Called once, with the sender whose pace this is. */
    void of(RingSender it) {
        sender = it;
    }

    /** Called once for each 32 KB. */
    @Override
    public boolean isLight() {
        long now = System.nanoTime();
        boolean slow = now - lapEnded > LIGHT_LAP_NANOS;
        lapEnded = now;
        resources.hold(sender.touched());
        return slow || memory.isShort();
    }

    void sent(int bytes) {
        sent += bytes;
    }

    /** Gives back the overflow ring's pages when the receiver has drained it. */
    void releaseDrained() {
        if (sender.takeDrainedOverflow() >= RELEASE_MIN) {
            resources.release(overflowOffset, overflow);
        }
    }

    /**
     * Adapts the resident memory to what is in use. A sender keeps somewhat more than it has sent since the last call, so that it
     * does not need at once what it has just given back. A busy sender keeps all, as long as there is memory for it.
     */
    void trim(boolean idle) throws CorruptRingException {
        long used = sent - sentAtLastLook;
        sentAtLastLook = sent;
        memory.look();
        long keeps = idle ? 0 : memory.isShort() ? MemoryBudget.LEAST : used + used / 2 + InboxLayout.PAGE;
        if (sender.touched() > keeps) {
            sender.freePages(resources::release);
        }
        resources.hold(sender.touched());
    }
}
