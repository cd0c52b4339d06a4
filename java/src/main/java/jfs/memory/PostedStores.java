package jfs.memory;

/**
 * Waits for stores into memory behind a card. Such stores are <em>posted</em>: the processor goes on while they are still on
 * their way. They may overtake each other there, and no fence of the processor waits for them. Memory of this host needs no
 * instance.
 */
public interface PostedStores {

    /**
     * Waits until all stores so far into the memory have arrived: those of every thread that are ordered before this call. Any
     * thread may call this. It takes about as long as a load across the fabric.
     *
     * @return false if a store was lost, now or at any time before: then nothing more may be published
     */
    boolean arrive();
}
