package jfs.launcher.check;

import java.net.InetAddress;
import jfs.management.Remedy;
import jfs.stat.Reason;

/**
 * What is known of connections to one address and port.
 *
 * @param fast whether such a connection becomes fast, as far as this end can know
 * @param listens whether a process listens there; true also if that can't be known
 * @param transport the transport that it would use; null if it is not fast
 * @param reason the reason that the connection would have; null if it is fast, or if no process listens
 * @param why how this is known if it is fast; otherwise why it is not fast
 * @param remedy what to do; null if it is fast
 */
record Finding(InetAddress address, int port, boolean fast, boolean listens, String transport, Reason reason, String why, String remedy) {

    static Finding fast(InetAddress address, int port, String transport, String how) {
        return new Finding(address, port, true, true, transport, null, how, null);
    }

    /** @param detail says more than the reason's own text; may be null */
    static Finding slow(InetAddress address, int port, Reason reason, String detail) {
        return slow(address, port, reason, detail, detail == null ? Remedy.of(reason) : Remedy.of(reason, detail));
    }

    static Finding slow(InetAddress address, int port, Reason reason, String detail, String remedy) {
        return new Finding(address, port, false, true, null, reason, detail == null ? reason.text() : detail, remedy);
    }

    static Finding nobody(InetAddress address, int port) {
        return new Finding(address, port, false, false, null, null,
                "no process listens on port " + port + " of this address, in this network namespace",
                "start the server, or correct the host and the port");
    }
}
