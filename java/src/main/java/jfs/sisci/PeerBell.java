package jfs.sisci;

import java.io.IOException;
import jfs.nativelib.Sisci;
import jfs.wait.Deadline;

/** Rings a peer's {@link SciBell}. One thread makes and frees it; in between any thread uses it. */
public final class PeerBell implements Runnable {

    private final long interrupt;

    /**
     * Connects to the peer's interrupt of that number. Blocks until the {@link Deadline} at most, or for a millisecond if it has passed.
     */
    public PeerBell(int node, int number, long deadline) throws IOException {
        long[] out = new long[1];
        SciException.check("SCIConnectInterrupt", Sisci.connectInterrupt(node, number, Math.max(1, Deadline.millisUntil(deadline)), out));
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
