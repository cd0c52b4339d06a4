package jfs.memory;

import java.nio.ByteBuffer;

/**
 * Waits for posted stores by a load from the memory into which they go. The load does not overtake the stores on its way, and
 * it goes the whole way. It is for libraries that have no other means. A lost store is not noticed.
 */
public final class ReadBack implements PostedStores {

    private final Shared memory;
    /** The loaded value. It is stored because the compiler may omit a load whose value is not used. */
    private volatile int loaded;

    /** @param memory the whole mapping, a direct buffer */
    public ReadBack(ByteBuffer memory) {
        this.memory = new Shared(memory, 0, Integer.BYTES);
    }

    @Override
    public boolean arrive() {
        Shared.fullFence(); // empties the processor's buffers
        loaded = memory.getIntAcquire(0);
        return true;
    }
}
