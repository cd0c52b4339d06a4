package jfs.sisci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import jfs.memory.Posted;
import jfs.memory.ReadBack;
import jfs.memory.Shared;
import jfs.nativelib.Sisci;
import jfs.spi.NoResourcesException;
import jfs.steps.Step;

/** A segment of ours, or a connection to a peer's, and its one mapping. Made and freed by one thread. */
public final class SciSegment implements Runnable, IntSupplier {

    private static final Mappings MAPPINGS = new Mappings();

    private final boolean ours;
    private final int id;
    private long segment;
    private long map;
    private long sequence;
    private Posted posted;
    private ByteBuffer memory;
    /** The library's thread writes it: an int, which is 0 until the peer has gone. */
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
     * @param mask which bits of the id may be any; the others are the base's
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
     * A new one, mapped. Nobody else can reach it yet.
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

    /** Another process's of such a size, mapped. Blocks for at most {@code millis}. {@code bell} as for {@link #create}. */
    public static SciSegment connect(int node, int id, long size, int millis, SciBell bell) throws IOException {
        SciSegment it = new SciSegment(false, id);
        try {
            long[] out = new long[2];
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

    /** The library's own way to know of posted stores. Threads take turns: nothing says that a sequence bears several. */
    private synchronized boolean storesArrive() {
        lost = lost || !Sisci.storesArrive(sequence);
        return !lost;
    }

    /** Whether one of the stores into it has not arrived. */
    public boolean hasLostStores() {
        return lost;
    }

    /** Whether the process at the other end has gone or disconnected (END-1). Not after {@link #run}. */
    public boolean isPeerGone() {
        return gone.getIntAcquire(0) != 0;
    }

    /** Rings that bell too after {@link #isPeerGone} has changed, which may have been before. */
    public void ringWhenPeerHasGone(SciBell bell) throws IOException {
        SciException.check("addWaker", Sisci.addWaker(segment, bell.interrupt()));
    }

    /** That many bytes of it, ordered as its stores need it. */
    public Shared window(int offset, int length) {
        return new Shared(memory, offset, length, posted);
    }

    /** It is for one peer: whoever connects after another one gets nothing. A card's library can't see to that (CARD-1). */
    public void admitOne() {
        Sisci.admitOne(segment);
    }

    /** It holds what a peer expects: from now on one may connect to it. */
    public void openDoor() throws IOException {
        SciException.check("SCISetSegmentAvailable", Sisci.setAvailable(segment));
        open = true;
    }

    /** One peer was let in; nobody else is (CARD-1), and the shim drops what names the segment. By any thread, idempotent. */
    public void closeDoor() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        Sisci.setUnavailable(segment);
    }

    /**
     * Names can be seen by all, so who may share memory with us could have come in instead of the one whom the negotiation has
     * found: then it is nobody's connection. The shim counts; SISCI itself does not.
     */
    public void checkAlone() throws IOException {
        int connections = Sisci.connections(segment);
        if (connections >= 0 && connections != 1) {
            throw new IOException(connections + " processes have connected to a segment that was offered to one");
        }
    }

    /** Frees whatever there is. Makes no object, so that it does when there is no memory left. */
    @Override
    public void run() {
        memory = null;
        gone = null;
        Busy.retry(this);
    }

    /** In the order that SISCI wants, going on where it was {@link Sisci#BUSY}. By one thread at a time. */
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
