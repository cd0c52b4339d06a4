package jfs.transport.sci;

import java.lang.ref.Reference;
import jfs.nativelib.Posix;
import jfs.ring.Inbox;
import jfs.spi.TcpDescriptor;

/** The death of a peer of which the SISCI library has not told: a vendor's library may be late to tell, or miss it. */
final class UntoldDeath {

    private UntoldDeath() {
    }

    /**
     * Whether the peer has died although the library has not said so. A peer that lives and has switched publishes the path's end before
     * TCP's (END-3). So a peer whose TCP alone has ended is gone (END-1). If the peer had not switched, or had ended its half, TCP's end
     * says no more than that. The method reads TCP's state and does not use poll(2), which reports the same for a half that this end has
     * shut down.
     *
     * @param mine the inbox of this end
     */
    static boolean of(TcpDescriptor tcp, Inbox mine) {
        int fd = mine.switched() < 0 ? -1 : tcp.acquire();
        if (fd < 0) {
            return false;
        }
        try {
            return Posix.tcpTuple(fd, new byte[Posix.TUPLE_BYTES]) == Posix.TCP_CLOSE_WAIT && !mine.ended();
        } finally {
            tcp.release();
        }
    }

    /**
     * This end is closing its TCP socket, and will learn nothing by it any more. If the peer has died, its segment needs no longer wait
     * for the peer to leave. A peer that dies later keeps the segment until this process ends, if the library does not tell.
     *
     * @param path stays reachable until the end (LEASE-3)
     */
    static void endPath(SciPath path, TcpDescriptor tcp, Inbox mine, Lease lease, SciResources resources) {
        if (!SciResources.isApart() || !lease.enter()) {
            return;
        }
        try {
            if (of(tcp, mine)) {
                resources.peerHasDied();
            }
        } finally {
            Reference.reachabilityFence(path);
            lease.leave();
        }
    }
}
