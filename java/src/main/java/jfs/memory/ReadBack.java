package jfs.memory;

import java.nio.ByteBuffer;

/**
 * Waits for posted stores by a load from where they went: it does not overtake them on its way, and it takes the whole way.
 * For libraries that have no other means. A lost store is not seen.
 */
public final class ReadBack implements Posted {

    private final Shared memory;
    /** The loaded value: a load whose value nobody wants need not be made. */
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
