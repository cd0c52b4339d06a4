package jfs.sisci;

import java.io.IOException;
import jfs.nativelib.Sisci;

/** A way to ring somebody's {@link SciBell}. Made and freed by one thread; in between used by any. */
public final class PeerBell implements Runnable {

    private static final int CONNECT_MILLIS = 500;

    private final long interrupt;

    /** @param number of their interrupt; blocks for at most half a second */
    public PeerBell(int node, int number) throws IOException {
        long[] out = new long[1];
        SciException.check("SCIConnectInterrupt", Sisci.connectInterrupt(node, number, CONNECT_MILLIS, out));
        interrupt = out[0];
    }

    /** Never blocks. @return false if it could not be rung; who is gone shows on the segment */
    public boolean ring() {
        return Sisci.trigger(interrupt) == Sisci.OK;
    }

    /** Frees it, once. */
    @Override
    public void run() {
        Sisci.disconnectInterrupt(interrupt);
    }
}
