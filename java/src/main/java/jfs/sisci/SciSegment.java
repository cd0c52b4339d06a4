package jfs.sisci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import jfs.memory.PostedStores;
import jfs.memory.ReadBack;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.spi.NoResourcesException;
import jfs.steps.Step;
import jfs.wait.Deadline;

/** A segment of this process, or a connection to a peer's, with its one mapping. One thread makes and frees it. */
public final class SciSegment implements Runnable, IntSupplier {

    private static final MappingLimit MAPPINGS = new MappingLimit();

    private final boolean ours;
    private final int id;
    private long segment;
    private long map;
    private long sequence;
    private PostedStores posted;
    private ByteBuffer memory;
    /** An int that a thread of the library writes. It is 0 until the peer has gone. */
    private Shared gone;
    private boolean open;
    private volatile boolean lost;

    private SciSegment(boolean ours, int id) throws NoResourcesException {
        this.ours = ours;
        this.id = id;
        MAPPINGS.take();
    }

    /**
     * As {@link #create}, under an id that is free.
     *
     * @param mask the bits of the id that are chosen at random; the other bits are those of the base
     */
    public static SciSegment createAny(int base, int mask, long size, SciBell bell) throws IOException {
        for (;;) {
            SciSegment it = create(base | ThreadLocalRandom.current().nextInt() & mask, size, bell);
            if (it != null) {
                return it;
            }
        }
    }

    /**
     * Makes a new segment and maps it. No other process can connect to it yet.
     *
     * @param bell rung after {@link #isPeerGone} has changed; null: none
     * @return null if the id is taken
     */
    public static SciSegment create(int id, long size, SciBell bell) throws IOException {
        SciSegment it = new SciSegment(true, id);
        try {
            long[] out = new long[1];
            int error = Sisci.createSegment(id, size, handle(bell), out);
            if (error == Sisci.SEGMENTID_USED) {
                return null;
            }
            SciException.check("SCICreateSegment", error);
            it.made(out[0]);
            Step.SEGMENT_CREATED.reached();
            it.mapped("SCIMapLocalSegment", Sisci.mapLocal(it.segment, size, out), out);
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.run();
            throw e;
        }
    }

    /**
     * Connects to a segment of another process, which must have that size, and maps it. Blocks until the {@link Deadline} at
     * most, or for a millisecond if it has passed. {@code bell} is as for {@link #create}.
     */
    public static SciSegment connect(int node, int id, long size, long deadline, SciBell bell) throws IOException {
        SciSegment it = new SciSegment(false, id);
        try {
            long[] out = new long[2];
            int millis = Math.max(1, Deadline.millisUntil(deadline));
            SciException.check("SCIConnectSegment", Sisci.connectSegment(node, id, millis, handle(bell), out));
            it.made(out[0]);
            Step.SEGMENT_CONNECTED.reached();
            if (out[1] != size) {
                throw new IOException("the offered segment has " + out[1] + " bytes, not " + size);
            }
            it.mapped("SCIMapRemoteSegment", Sisci.mapRemote(it.segment, size, out), out);
            if (!Sisci.sharesMemory()) {
                SciException.check("SCICreateMapSequence", Sisci.createSequence(it.map, out));
                it.sequence = out[0];
                it.posted = it.sequence == 0 ? new ReadBack(it.memory) : it::storesArrive;
            }
            return it;
        } catch (Throwable e) { // an OutOfMemoryError too
            it.run();
            throw e;
        }
    }

    private static long handle(SciBell bell) {
        return bell == null ? 0 : bell.interrupt();
    }

    private void made(long handle) {
        segment = handle;
        gone = new Shared(Sisci.goneWord(handle), 0, Integer.BYTES);
    }

    private void mapped(String call, ByteBuffer mapping, long[] out) throws IOException {
        if (mapping == null) {
            SciException.check(call, (int) out[0]);
        }
        memory = mapping;
        map = out[0];
        Step.SEGMENT_MAPPED.reached();
    }

    public int id() {
        return id;
    }

    public ByteBuffer memory() {
        return memory;
    }

    /** Waits for posted stores by the library's sequence. Threads take turns: SISCI does not say that several may use one sequence. */
    private synchronized boolean storesArrive() {
        lost = lost || !Sisci.storesArrive(sequence);
        return !lost;
    }

    /** Whether a store into the segment was lost. */
    public boolean hasLostStores() {
        return lost;
    }

    /** Whether the process at the other end has gone or disconnected (END-1). Not to be called after {@link #run}. */
    public boolean isPeerGone() {
        return gone.getIntAcquire(0) != 0;
    }

    /** The processes that are connected have died, of which the library may not have told. Not to be called after {@link #run}. */
    public void peersHaveDied() {
        Sisci.peersHaveDied(segment);
    }

    /** From now on a change of {@link #isPeerGone} rings that bell too. The change may have come before this call. */
    public void ringWhenPeerHasGone(SciBell bell) throws IOException {
        SciException.check("addWaker", Sisci.addWaker(segment, bell.interrupt()));
    }

    /** A window onto that many bytes of the segment. Behind a card its releasing stores wait for posted stores. */
    public Shared window(int offset, int length) {
        return new Shared(memory, offset, length, posted);
    }

    /** From now on only the first process that connects gets the memory. A card's library can't limit that (CARD-1). */
    public void admitOne() {
        Sisci.admitOne(segment);
    }

    /** From now on a peer may connect. The segment holds what the peer expects. */
    public void makeAvailable() throws IOException {
        SciException.check("SCISetSegmentAvailable", Sisci.setAvailable(segment));
        open = true;
    }

    /** One peer has connected, and no other process may (CARD-1). The shim gives up the segment's id. Called by any thread, idempotent. */
    public void makeUnavailable() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        Sisci.setUnavailable(segment);
    }

    /**
     * Throws if more or fewer processes than one have connected. All processes can see the ids of segments. So another process that
     * may share memory with this one could have connected instead of the peer that the negotiation has found. The segment is then not
     * used for the connection. The shim counts connections; SISCI itself does not, and then nothing is checked.
     */
    public void checkAlone() throws IOException {
        int connections = Sisci.connections(segment);
        if (connections >= 0 && connections != 1) {
            throw new IOException(connections + " processes have connected to a segment that was offered to one");
        }
    }

    /** Frees all that was made. Makes no object, so that it works when there is no memory left. */
    @Override
    public void run() {
        memory = null;
        gone = null;
        Retries.retry(this);
    }

    /**
     * Frees everything in the order that SISCI wants. A repeated call goes on where the last one got {@link Sisci#BUSY}. Called by one
     * thread at a time.
     */
    @Override
    public int getAsInt() {
        if (sequence != 0) {
            Sisci.removeSequence(sequence);
            sequence = 0;
        }
        if (map != 0) {
            if (Sisci.unmap(map) == Sisci.BUSY) {
                return Sisci.BUSY;
            }
            map = 0;
        }
        if (segment != 0) {
            int error = ours ? Sisci.removeSegment(segment) : Sisci.disconnectSegment(segment);
            if (error == Sisci.BUSY) {
                return Sisci.BUSY;
            }
            segment = 0;
        }
        return Sisci.OK;
    }
}
