package jfs.negotiation.handshake;

import jfs.spi.NoResourcesException;

/**
 * The name by which peer processes find a listening socket, with a count of its users. The name is taken for the first user that needs it
 * and given back by the last. The users are the listening socket, and every socket accepted from it that offers can find and that has no
 * fast path yet. A server may close its listener after one accept: its connections can still be found (NEG-3).
 *
 * <p>Any thread may call the methods. {@link #take} and {@link #retain} may make system calls.
 */
public abstract class ListenerName implements Runnable {

    /** The listening socket is the first user. Guarded by this. */
    private int users = 1;
    /** Gives the name back; null while the name is not taken. Written under this. */
    private volatile Runnable close;

    /**
     * Takes the name.
     *
     * @return gives the name back; null if no name is left
     */
    protected abstract Runnable open() throws NoResourcesException;

    public final boolean isTaken() {
        return close != null;
    }

    /**
     * Takes the name, unless it is taken already.
     *
     * @return false if no name is left
     */
    public final synchronized boolean take() throws NoResourcesException {
        if (close == null) {
            close = open();
        }
        return close != null;
    }

    /**
     * Takes the name for one more user, which calls {@link #release} later.
     *
     * @return false if no name is left; then there is no further user
     */
    final synchronized boolean retain() throws NoResourcesException {
        boolean taken = take();
        users += taken ? 1 : 0;
        return taken;
    }

    /** {@link #release}, for a cleaner that runs it once. */
    @Override
    public final void run() {
        release();
    }

    /** One user needs the name no longer. Called once for each user. */
    public final synchronized void release() {
        users--;
        if (users == 0 && close != null) {
            close.run();
            close = null;
        }
    }
}
