package jfs.conformance.hosts;

import java.io.IOException;
import jfs.WithTransport;
import jfs.conformance.harness.processes.Peer;

/** A {@link Peer} whose process has {@link Unready} instead of MX. */
public final class NegotiatingPeer {

    private NegotiatingPeer() {
    }

    /**
     * Arguments: the network under MX if it is no RDMA, or "rdma"; whether the path fails after the negotiation, false if
     * missing.
     */
    public static void main(String[] args) throws IOException {
        WithTransport.install(new Unready(args.length > 1 && Boolean.parseBoolean(args[1])), args[0].equals("rdma") ? null : args[0]);
        Peer.main(new String[] {"true"});
    }
}
