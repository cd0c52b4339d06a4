package jfs.sisci;

import java.io.IOException;
import jfs.nativelib.Sisci;

/** Rings a peer's {@link SciBell}. One thread makes and frees it; in between any thread uses it. */
public final class PeerBell implements Runnable {

    private static final int CONNECT_MILLIS = 500;

    private final long interrupt;

    /** Connects to the peer's interrupt of that number. Blocks for at most half a second. */
    public PeerBell(int node, int number) throws IOException {
        long[] out = new long[1];
        SciException.check("SCIConnectInterrupt", Sisci.connectInterrupt(node, number, CONNECT_MILLIS, out));
        interrupt = out[0];
    }

    /** Never blocks. @return false if the bell could not be rung; whether the peer has gone shows at the segment */
    public boolean ring() {
        return Sisci.trigger(interrupt) == Sisci.OK;
    }

    /** Frees the connection to the interrupt. Called once. */
    @Override
    public void run() {
        Sisci.disconnectInterrupt(interrupt);
    }
}
