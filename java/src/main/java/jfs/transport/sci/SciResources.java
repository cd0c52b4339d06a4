package jfs.transport.sci;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import jfs.nativelib.Posix;
import jfs.nativelib.Sisci;
import jfs.spi.NoResourcesException;
import jfs.wait.Doorbell;

/**
 * The SISCI handles of one end: the segment (created or connected), its mapping, our interrupt, the peer's, and our own
 * as a remote one (to ring ourselves). Built on the negotiation's thread, freed once by the {@link Lease}; in between
 * only the interrupts are used, by any thread.
 */
final class SciResources implements Doorbell, Runnable {

    /** Segment numbers we choose leave SCILib's (0x10000000) alone. */
    private static final int SEGMENT_ID_MASK = 0x0fffffff;
    private static final int CONNECT_MILLIS = 500;
    /** The program needs the rest for sockets of its own. */
    private static final int DESCRIPTORS_MAX = Posix.descriptorLimit() / 2;
    private static final Mappings MAPPINGS = new Mappings();

    private final boolean created;
    private long segment;
    private long map;
    private long interrupt;
    private long self;
    private long peer;
    private int segmentId;
    private int interruptNumber;
    private int descriptor = -1;
    private ByteBuffer memory;

    private SciResources(boolean created) {
        this.created = created;
    }

    /** A new segment of this size, mapped, ready for one peer, and an interrupt. */
    static SciResources create(long size, Sisci.Listener listener) throws IOException {
        MAPPINGS.take();
        SciResources r = new SciResources(true);
        try {
            long[] out = new long[3];
            int error;
            do {
                r.segmentId = ThreadLocalRandom.current().nextInt() & SEGMENT_ID_MASK;
                error = Sisci.createSegment(r.segmentId, size, listener, out);
            } while (error == Sisci.SEGMENTID_USED);
            check("SCICreateSegment", error);
            r.segment = out[0];
            r.memory = Sisci.mapLocal(r.segment, size, out);
            r.mapped("SCIMapLocalSegment", out);
            r.makeInterrupt();
            check("SCISetSegmentAvailable", Sisci.setAvailable(r.segment));
            return r;
        } catch (IOException | RuntimeException e) {
            r.run();
            throw e;
        }
    }

    /** Another process's segment, mapped, and an interrupt. */
    static SciResources connect(int node, int segmentId, long size, Sisci.Listener listener) throws IOException {
        MAPPINGS.take();
        SciResources r = new SciResources(false);
        try {
            long[] out = new long[3];
            check("SCIConnectSegment", Sisci.connectSegment(node, segmentId, CONNECT_MILLIS, listener, out));
            r.segment = out[0];
            if (out[1] != size) {
                throw new IOException("the offered segment has " + out[1] + " bytes, not " + size);
            }
            r.memory = Sisci.mapRemote(r.segment, size, out);
            r.mapped("SCIMapRemoteSegment", out);
            r.makeInterrupt();
            return r;
        } catch (IOException | RuntimeException e) {
            r.run();
            throw e;
        }
    }

    private void mapped(String call, long[] out) throws IOException {
        if (memory == null) {
            check(call, (int) out[0]);
        }
        map = out[0];
    }

    private void makeInterrupt() throws IOException {
        long[] out = new long[3];
        check("SCICreateInterrupt", Sisci.createInterrupt(out));
        interrupt = out[0];
        interruptNumber = (int) out[1];
        descriptor = (int) out[2];
        // The lowest free number is given out, so this one tells how many are open at least (R16).
        if (descriptor > DESCRIPTORS_MAX) {
            throw new NoResourcesException(
                    "more than " + DESCRIPTORS_MAX + " descriptors, half of the limit, are in use");
        }
        check("SCIConnectInterrupt", Sisci.connectInterrupt(localNode(), interruptNumber, CONNECT_MILLIS, out));
        self = out[0];
    }

    /** Reaches the peer's interrupt. */
    void connectPeer(int node, int number) throws IOException {
        long[] out = new long[1];
        check("SCIConnectInterrupt", Sisci.connectInterrupt(node, number, CONNECT_MILLIS, out));
        peer = out[0];
    }

    /** One peer was let in; nobody else is, and the shim drops what names the segment. */
    void closeDoor() {
        Sisci.setUnavailable(segment);
    }

    static int localNode() throws IOException {
        long[] out = new long[1];
        check("SCIGetLocalNodeId", Sisci.localNode(out));
        return (int) out[0];
    }

    ByteBuffer memory() {
        return memory;
    }

    int segmentId() {
        return segmentId;
    }

    int interruptNumber() {
        return interruptNumber;
    }

    void ringPeer() {
        Sisci.trigger(peer); // a peer that is gone shows on the segment and on TCP
    }

    @Override
    public int descriptor() {
        return descriptor;
    }

    @Override
    public void acknowledge() {
        Sisci.acknowledge(interrupt);
    }

    @Override
    public void ringOurselves() {
        Sisci.trigger(self);
    }

    /** Frees whatever there is, in the order that SISCI wants. */
    @Override
    public void run() {
        if (map != 0) {
            Sisci.unmap(map);
        }
        if (segment != 0 && created) {
            Sisci.removeSegment(segment);
        } else if (segment != 0) {
            Sisci.disconnectSegment(segment);
        }
        if (peer != 0) {
            Sisci.disconnectInterrupt(peer);
        }
        if (self != 0) {
            Sisci.disconnectInterrupt(self);
        }
        if (interrupt != 0) {
            Sisci.removeInterrupt(interrupt);
        }
        map = segment = peer = self = interrupt = 0;
        memory = null;
    }

    private static void check(String call, int error) throws IOException {
        if (error != Sisci.OK) {
            throw new IOException(call + ": " + Sisci.errorText(error));
        }
    }
}
